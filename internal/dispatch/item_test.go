package dispatch_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

var now = time.Date(2026, 11, 20, 10, 41, 0, 0, time.UTC)

// queued returns an item that should have gone this long ago.
func queued(ago time.Duration, hold dispatch.Block) dispatch.Item {
	return dispatch.Item{Kind: dispatch.KindSMS, State: dispatch.StateQueued, DueSince: now.Add(-ago), Block: hold}
}

func withStatus(s dispatch.Status) dispatch.Item {
	return dispatch.Item{Kind: dispatch.KindSMS, State: dispatch.StateAccepted, UpstreamID: "id", Status: s, NextCheck: now.Add(day)}
}

func ofShipment(s dispatch.Status) dispatch.Item {
	it := withStatus(s)
	it.Kind = dispatch.KindShipment
	return it
}

func inState(s dispatch.State) dispatch.Item { return dispatch.Item{Kind: dispatch.KindSMS, State: s} }

func TestItemStageAndGroup(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		item  dispatch.Item
		stage dispatch.Stage
		group dispatch.Group
	}{
		"a draft":                            {inState(dispatch.StateDraft), dispatch.StageDraft, dispatch.GroupPlanned},
		"due tomorrow":                       {queued(-day, dispatch.BlockNone), dispatch.StageScheduled, dispatch.GroupPlanned},
		"due in a moment":                    {queued(-1, dispatch.BlockNone), dispatch.StageScheduled, dispatch.GroupPlanned},
		"due in a moment, held back":         {queued(-time.Minute, dispatch.BlockStopped), dispatch.StageWaiting, dispatch.GroupPlanned},
		"due tomorrow, held back":            {queued(-day, dispatch.BlockRefused), dispatch.StageScheduled, dispatch.GroupPlanned},
		"due now":                            {queued(0, dispatch.BlockNone), dispatch.StageQueued, dispatch.GroupWorking},
		"due for a while":                    {queued(time.Hour, dispatch.BlockNone), dispatch.StageQueued, dispatch.GroupWorking},
		"held back by a refusal":             {queued(time.Hour, dispatch.BlockRefused), dispatch.StageWaiting, dispatch.GroupWorking},
		"held back by a stopped integration": {queued(time.Hour, dispatch.BlockStopped), dispatch.StageWaiting, dispatch.GroupWorking},
		"held back by a missing integration": {queued(time.Hour, dispatch.BlockMissing), dispatch.StageWaiting, dispatch.GroupWorking},
		"held back by a pause":               {queued(time.Hour, dispatch.BlockPaused), dispatch.StageWaiting, dispatch.GroupWorking},
		"almost a day late":                  {queued(day-1, dispatch.BlockNone), dispatch.StageQueued, dispatch.GroupWorking},
		"a day late":                         {queued(day, dispatch.BlockNone), dispatch.StageAsking, dispatch.GroupWorking},
		"a day late and held back":           {queued(2*day, dispatch.BlockRefused), dispatch.StageAsking, dispatch.GroupWorking},
		"sending":                            {inState(dispatch.StateSending), dispatch.StageSending, dispatch.GroupWorking},
		"accepted, no status yet":            {withStatus(""), dispatch.StageAccepted, dispatch.GroupWorking},
		"OPPRETTET":                          {withStatus("OPPRETTET"), dispatch.StageStatus, dispatch.GroupWorking},
		"SENDT":                              {withStatus("SENDT"), dispatch.StageStatus, dispatch.GroupOnItsWay},
		"UKJENT":                             {withStatus("UKJENT"), dispatch.StageStatus, dispatch.GroupOnItsWay},
		"LEVERT":                             {withStatus("LEVERT"), dispatch.StageStatus, dispatch.GroupArrived},
		"IKKE_SENDT":                         {withStatus("IKKE_SENDT"), dispatch.StageStatus, dispatch.GroupStopped},
		"IKKE_LEVERT":                        {withStatus("IKKE_LEVERT"), dispatch.StageStatus, dispatch.GroupStopped},
		"LEST":                               {ofShipment("LEST"), dispatch.StageStatus, dispatch.GroupArrived},
		"SENDT_PRINT":                        {ofShipment("SENDT_PRINT"), dispatch.StageStatus, dispatch.GroupOnItsWay},
		"VARSLET":                            {ofShipment("VARSLET"), dispatch.StageStatus, dispatch.GroupWorking},
		"AVVIST":                             {ofShipment("AVVIST"), dispatch.StageStatus, dispatch.GroupStopped},
		"MANUELT_HANDTERT":                   {ofShipment("MANUELT_HANDTERT"), dispatch.StageStatus, dispatch.GroupStopped},
		"a status nobody knows":              {withStatus("NY_VERDI"), dispatch.StageStatus, dispatch.GroupWorking},
		"rejected":                           {inState(dispatch.StateRejected), dispatch.StageRejected, dispatch.GroupStopped},
		"failed":                             {inState(dispatch.StateFailed), dispatch.StageFailed, dispatch.GroupStopped},
		"uncertain":                          {inState(dispatch.StateUncertain), dispatch.StageUncertain, dispatch.GroupUncertain},
		"cancelled":                          {inState(dispatch.StateCancelled), dispatch.StageCancelled, dispatch.GroupStopped},
		"a status from before does not hide uncertain": {dispatch.Item{State: dispatch.StateUncertain, Status: "SENDT"}, dispatch.StageUncertain, dispatch.GroupUncertain},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.item.Stage(now); got != tt.stage {
				t.Errorf("got stage %s, want %s", got, tt.stage)
			}
			if got := tt.item.Group(now); got != tt.group {
				t.Errorf("got group %s, want %s", got, tt.group)
			}
		})
	}
}

func TestItemSettled(t *testing.T) {
	t.Parallel()
	batch := withStatus("")
	batch.UpstreamID = ""
	old := withStatus("SENDT")
	old.NextCheck = time.Time{}
	tests := map[string]struct {
		item dispatch.Item
		want bool
	}{
		"a draft":                    {inState(dispatch.StateDraft), true},
		"queued":                     {queued(0, dispatch.BlockNone), false},
		"scheduled":                  {queued(-day, dispatch.BlockNone), false},
		"sending":                    {inState(dispatch.StateSending), false},
		"uncertain":                  {inState(dispatch.StateUncertain), false},
		"rejected":                   {inState(dispatch.StateRejected), true},
		"failed":                     {inState(dispatch.StateFailed), true},
		"cancelled":                  {inState(dispatch.StateCancelled), true},
		"accepted":                   {withStatus(""), false},
		"accepted without an id":     {batch, true},
		"accepted and on its way":    {withStatus("SENDT"), false},
		"on its way for too long":    {old, true},
		"accepted and delivered":     {withStatus("LEVERT"), true},
		"accepted and not delivered": {withStatus("IKKE_LEVERT"), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.item.Settled(); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestStatusSettled(t *testing.T) {
	t.Parallel()
	for status, want := range map[dispatch.Status]bool{
		"OPPRETTET": false, "SENDT": false, "IKKE_SENDT": true, "IKKE_LEVERT": true, "LEVERT": true, "UKJENT": false,
		"": false, "NY_VERDI": false, "levert": false, "LEST": false, "PRINTET": false,
	} {
		if got := status.Settled(dispatch.KindSMS); got != want {
			t.Errorf("got %t for %q, want %t", got, status, want)
		}
		if status.Settled("fax") {
			t.Errorf("got %q settled for a kind that does not exist, want not", status)
		}
	}
}

func TestItemOverdue(t *testing.T) {
	t.Parallel()
	late := func(s dispatch.State) dispatch.Item { return dispatch.Item{State: s, DueSince: now.Add(-2 * day)} }
	tests := map[string]struct {
		item dispatch.Item
		want bool
	}{
		"a second before a day":   {queued(day-time.Second, dispatch.BlockNone), false},
		"a day":                   {queued(day, dispatch.BlockNone), true},
		"two days, held back":     {queued(2*day, dispatch.BlockStopped), true},
		"queued without due time": {inState(dispatch.StateQueued), false},
		"sending since two days":  {late(dispatch.StateSending), false},
		"accepted two days ago":   {late(dispatch.StateAccepted), false},
		"uncertain for two days":  {late(dispatch.StateUncertain), false},
		"due tomorrow":            {queued(-day, dispatch.BlockNone), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.item.Overdue(now); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
			if got := tt.item.MayConfirm(now); got != tt.want {
				t.Errorf("got may confirm %t, want %t", got, tt.want)
			}
		})
	}
}

func TestItemMay(t *testing.T) {
	t.Parallel()
	for state, want := range map[dispatch.State]struct{ cancel, again bool }{
		dispatch.StateDraft: {}, dispatch.StateQueued: {cancel: true}, dispatch.StateSending: {}, dispatch.StateAccepted: {},
		dispatch.StateRejected: {}, dispatch.StateFailed: {again: true}, dispatch.StateUncertain: {}, dispatch.StateCancelled: {},
	} {
		if got := inState(state); got.MayCancel() != want.cancel || got.MaySendAgain() != want.again {
			t.Errorf("got cancel %t, again %t for %s, want %+v", got.MayCancel(), got.MaySendAgain(), state, want)
		}
	}
	for missing, want := range map[int]bool{0: false, 2: false, 3: true, 4: true} {
		if got := (dispatch.Item{Missing: missing}).Lost(); got != want {
			t.Errorf("got lost %t after %d, want %t", got, missing, want)
		}
	}
}
