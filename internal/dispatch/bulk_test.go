package dispatch

import "testing"

// TestLeftOut: what may have been sent is never sent again, and nothing is sent again twice.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	own := func(kind Kind, state State, status Status) BulkItem {
		return BulkItem{Item: Item{Kind: kind, State: state, Status: status}, Reach: ReachOpen, Numbered: true}
	}
	with := func(it BulkItem, change func(*BulkItem)) BulkItem {
		change(&it)
		return it
	}
	notDelivered := own(KindShipment, StateAccepted, StatusNotDelivered)
	toSign := with(own(KindShipment, StateAccepted, StatusNotified), func(it *BulkItem) { it.Signs = true })
	for name, test := range map[string]struct {
		act  BulkAct
		item BulkItem
		want BulkResult
	}{
		"stop what waits":                      {BulkStop, own(KindSMS, StateQueued, ""), ""},
		"stop a draft":                         {BulkStop, own(KindSMS, StateDraft, ""), BulkDraft},
		"stop what is being sent":              {BulkStop, own(KindSMS, StateSending, ""), ""},
		"stop what is looked for":              {BulkStop, with(own(KindShipment, StateUncertain, ""), func(it *BulkItem) { it.Looking = true }), ""},
		"stop what has been sent":              {BulkStop, own(KindSMS, StateAccepted, ""), BulkSent},
		"stop what the service did not send":   {BulkStop, own(KindSMS, StateAccepted, StatusNotSent), BulkEnded},
		"again: a colleague's signing expired": {BulkAgain, with(own(KindShipment, StateAccepted, StatusRead), func(it *BulkItem) { it.Signs, it.SigningStatus, it.Reach = true, SigningExpired, ReachNone }), BulkNoReach},
		"stop what could not be sent":          {BulkStop, own(KindSMS, StateRejected, ""), BulkEnded},
		"stop what was given up":               {BulkStop, own(KindShipment, StateFailed, ""), BulkEnded},
		"stop what may have been sent":         {BulkStop, own(KindSMS, StateUncertain, ""), BulkUncertain},
		"again: given up":                      {BulkAgain, own(KindSMS, StateFailed, ""), ""},
		"again: given up, a colleague's":       {BulkAgain, with(own(KindSMS, StateFailed, ""), func(it *BulkItem) { it.Reach = ReachNone }), ""},
		"again: given up, may be there":        {BulkAgain, with(own(KindSMS, StateFailed, ""), func(it *BulkItem) { it.MayHaveArrived = true }), BulkUncertain},
		"again: uncertain":                     {BulkAgain, own(KindShipment, StateUncertain, ""), BulkUncertain},
		"again: rejected":                      {BulkAgain, own(KindShipment, StateRejected, ""), ""},
		"again: not delivered":                 {BulkAgain, notDelivered, ""},
		"again: SMS not sent":                  {BulkAgain, own(KindSMS, StateAccepted, StatusNotSent), ""},
		"again: rejected by the service":       {BulkAgain, own(KindShipment, StateAccepted, StatusDismissed), ""},
		"again: read":                          {BulkAgain, own(KindShipment, StateAccepted, StatusRead), BulkSent},
		"again: an unknown status":             {BulkAgain, own(KindShipment, StateAccepted, "NOE_NYTT"), BulkSent},
		"again: no status yet":                 {BulkAgain, own(KindSMS, StateAccepted, ""), BulkSent},
		"again: waits":                         {BulkAgain, own(KindSMS, StateQueued, ""), BulkWaits},
		"again: stopped":                       {BulkAgain, own(KindSMS, StateCancelled, ""), BulkStopped},
		"again: replaced":                      {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Replaced = true }), BulkReplaced},
		"again: purged":                        {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Purged = true }), BulkPurged},
		"again: its files are gone":            {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Bare = true }), BulkBare},
		"again: to be signed":                  {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Signs = true }), BulkFaulty},
		"again: to be signed, given up":        {BulkAgain, with(own(KindShipment, StateFailed, ""), func(it *BulkItem) { it.Signs = true }), ""},
		"again: its signing expired":           {BulkAgain, with(own(KindShipment, StateAccepted, StatusRead), func(it *BulkItem) { it.Signs, it.SigningStatus = true, SigningExpired }), BulkFaulty},
		"again: it was signed":                 {BulkAgain, with(own(KindShipment, StateAccepted, StatusRead), func(it *BulkItem) { it.Signs, it.SigningStatus = true, SigningDone }), BulkSent},
		"SMS about one without files":          {BulkSMS, with(notDelivered, func(it *BulkItem) { it.Bare = true }), ""},
		"again: a colleague's":                 {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Reach = ReachNone }), BulkNoReach},
		"again: a colleague's, for a reason":   {BulkAgain, with(notDelivered, func(it *BulkItem) { it.Reach = ReachReason }), ""},
		"SMS about a shipment":                 {BulkSMS, notDelivered, ""},
		"SMS about an SMS":                     {BulkSMS, own(KindSMS, StateRejected, ""), BulkNotShipment},
		"SMS without a number":                 {BulkSMS, with(notDelivered, func(it *BulkItem) { it.Numbered = false }), BulkNoNumber},
		"SMS about what may be there":          {BulkSMS, own(KindShipment, StateUncertain, ""), BulkUncertain},
		"remind of signing":                    {BulkRemind, toSign, ""},
		"remind who has signed":                {BulkRemind, with(toSign, func(it *BulkItem) { it.SigningStatus = SigningDone }), BulkUnsigned},
		"remind of what is not to be signed":   {BulkRemind, own(KindShipment, StateAccepted, StatusNotified), BulkUnsigned},
		"follow up":                            {BulkDone, with(notDelivered, func(it *BulkItem) { it.Cause = CauseNotDelivered }), ""},
		"follow up nothing":                    {BulkAssign, notDelivered, BulkNoFollowUp},
		"decide":                               {BulkDecide, with(own(KindSMS, StateUncertain, ""), func(it *BulkItem) { it.Cause = CauseUncertain }), ""},
		"decide about what is clear":           {BulkDecide, with(notDelivered, func(it *BulkItem) { it.Cause = CauseNotDelivered }), BulkNotUncertain},
		"look for an SMS":                      {BulkLook, with(own(KindSMS, StateUncertain, ""), func(it *BulkItem) { it.Cause = CauseUncertain }), BulkNotShipment},
		"export":                               {BulkExport, own(KindSMS, StateDraft, ""), ""},
	} {
		if got := test.act.LeftOut(test.item); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
