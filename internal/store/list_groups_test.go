package store_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// everyStatus are all statuses of both services, one that nobody knows, and none.
var everyStatus = []dispatch.Status{"", "NY_VERDI",
	"OPPRETTET", "SENDT", "IKKE_SENDT", "IKKE_LEVERT", "LEVERT", "UKJENT",
	"MOTTATT", "AKSEPTERT", "KLAR_FOR_MOTTAK", "VARSLET", "LEST", "SENDT_PRINT", "SENDT_DIGITALT", "SENDT_SDP", "LEVERT_SDP", "PRINTET", "AVVIST", "MANUELT_HANDTERT",
	"SENDT_ALTINN", "LEVERT_ALTINN", "SENDT_NHN_MOTTAKER", "LEVERT_NHN_MOTTAKER", "FEILET_UNDER_MOTTAK", "SLETTET",
}

// TestGroupsAgree: the database and the domain put every item in the same group, in lists and in counts.
func TestGroupsAgree(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	want := map[dispatch.Group][]dispatch.ItemID{}
	put := func(state dispatch.State, status dispatch.Status, due time.Duration) {
		id := r.Draft(t, r.s, storetest.ToPhone("90000123", "Hei"))
		lease := state == dispatch.StateSending
		r.exec(t, `
			UPDATE items SET state = $2, status = $3, due_at = now() + $4 * interval '1 second', due_since = now() + $4 * interval '1 second',
			    lease_until = CASE WHEN $5 THEN now() END, reason_at = now(), status_at = now(), accepted_at = now() WHERE id = $1`, id, state, status, due.Seconds(), lease)
		g := r.Item(t, r.s, id).Group(time.Now())
		want[g] = append(want[g], id)
	}
	for _, state := range []dispatch.State{dispatch.StateDraft, dispatch.StateSending, dispatch.StateRejected, dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateCancelled} {
		put(state, "", 0)
		put(state, "SENDT", 0)
	}
	put(dispatch.StateQueued, "", -time.Hour)
	put(dispatch.StateQueued, "", time.Hour)
	for _, status := range everyStatus {
		put(dispatch.StateAccepted, status, 0)
	}
	counts, err := lists.In(r.s).Items.Counts(t.Context(), r.Account.ID, r.User, dispatch.KindSMS)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range dispatch.Groups() {
		ids, _, _ := r.page(t, inGroup(r.User, g), store.Page{Limit: 100})
		slices.Sort(ids)
		slices.Sort(want[g])
		if diff := cmp.Diff(want[g], ids); diff != "" {
			t.Errorf("%s (-want +got):\n%s", g, diff)
		}
		if got := counts[g]; got.N != len(want[g]) || got.Above {
			t.Errorf("%s: counted %+v, want %d", g, got, len(want[g]))
		}
	}
}

// counted compares the stored counts with the rows.
func (r rig) counted(t *testing.T) {
	t.Helper()
	wrong := read[int](t, r, `
		SELECT count(*) FROM (SELECT account_id, kind, list_group, sum(n) AS n FROM list_counts GROUP BY 1, 2, 3 HAVING sum(n) <> 0) c
		FULL JOIN (SELECT account_id, kind, list_group, count(*) AS n FROM items WHERE list_group <> 'draft' GROUP BY 1, 2, 3) i USING (account_id, kind, list_group)
		WHERE c.n IS DISTINCT FROM i.n`)
	if wrong != 0 {
		t.Errorf("%d counts are not those of the rows", wrong)
	}
	r.listedAgrees(t)
}

// listedAgrees compares the columns that lists read with the items.
func (r rig) listedAgrees(t *testing.T) {
	t.Helper()
	const kept = `SELECT item_id, account_id, kind, created_at, created_by, list_group, status, outcome, read_band, sign_band FROM listed`
	const said = `
		SELECT it.id, it.account_id, it.kind, it.created_at, it.created_by, it.list_group, CASE it.state WHEN 'accepted' THEN it.status ELSE '' END,
		       coalesce(stat_outcome(it.state, it.status, it.upstream_id), ''),
		       CASE WHEN it.state = 'accepted' AND it.kind = 'shipment' AND it.status = 'LEST' THEN stat_band(it.status_at - it.accepted_at) END,
		       CASE WHEN h.signing_status = 'SIGNERT_AV_MOTTAKER' THEN stat_band(h.signing_at - it.accepted_at) END
		FROM items it LEFT JOIN shipments h ON h.item_id = it.id`
	wrong := read[int](t, r, `SELECT count(*) FROM ((`+kept+` EXCEPT `+said+`) UNION ALL (`+said+` EXCEPT `+kept+`)) x`)
	if wrong != 0 {
		t.Errorf("%d rows of lists are not what the items say", wrong)
	}
}

// TestListNumbersAgree: lists and statistics have the same group, outcome and route of an item.
func TestListNumbersAgree(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	states := []dispatch.State{dispatch.StateDraft, dispatch.StateQueued, dispatch.StateRejected, dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateCancelled}
	for _, id := range []dispatch.ItemID{r.in(t, dispatch.StateAccepted), shipments.acceptedShipment(t, dispatch.StatusNotified, time.Hour)} {
		for _, state := range states {
			r.exec(t, `UPDATE items SET state = $2, status = '', due_at = now(), due_since = now() WHERE id = $1`, id, state)
			r.numbersAgree(t, id)
		}
		for _, status := range everyStatus {
			r.exec(t, `UPDATE items SET state = 'accepted', status = $2, status_at = now() WHERE id = $1`, id, status)
			r.numbersAgree(t, id)
		}
	}
}

// numbersAgree compares an item's group in lists with its outcome in statistics.
func (r rig) numbersAgree(t *testing.T, id dispatch.ItemID) {
	t.Helper()
	var group, outcome, route string
	var kind dispatch.Kind
	var arrived, stopped bool
	err := r.db.QueryRow(`
		SELECT l.list_group, l.kind, l.outcome, l.route, coalesce(r.list_group = 'arrived', false), coalesce(r.list_group = 'stopped', false)
		FROM listed l LEFT JOIN statuses r ON r.kind = l.kind AND r.status = l.outcome WHERE l.item_id = $1`, id).
		Scan(&group, &kind, &outcome, &route, &arrived, &stopped)
	if err != nil {
		t.Fatal(err)
	}
	if arrived != (group == string(dispatch.GroupArrived)) || stopped != (group == string(dispatch.GroupStopped)) {
		t.Errorf("%q is in the group %s, and counted as arrived: %t, stopped: %t", outcome, group, arrived, stopped)
	}
	if want := dispatch.RouteOf(kind, outcome); outcome != "" && route != string(want) {
		t.Errorf("%s %q takes the route %q, want %q", kind, outcome, route, want)
	}
	if (outcome == "") != (group == "draft") {
		t.Errorf("an outcome %q in the group %s", outcome, group)
	}
}

// TestCountsUnderChange: after concurrent changes, counts agree with the items, and few rows of counts are left.
func TestCountsUnderChange(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 40 {
		r.in(t, dispatch.StateQueued)
	}
	r.exec(t, `UPDATE items SET reason_at = now(), status_at = now(), accepted_at = now()`)
	states := []string{"cancelled", "failed", "uncertain", "rejected"}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 60 {
				_, err := r.db.ExecContext(t.Context(), `
					UPDATE items SET state = $2
					WHERE id IN (SELECT id FROM items WHERE account_id = $1 ORDER BY random() LIMIT 3 FOR UPDATE SKIP LOCKED)`,
					r.Account.ID, states[(worker+i)%len(states)])
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r.counted(t)
	if n := read[int](t, r, `SELECT count(*) FROM list_counts`); n > 300 {
		t.Errorf("%d rows hold the counts", n)
	}
	r.exec(t, `DELETE FROM items WHERE account_id = $1 AND state = 'failed'`, r.Account.ID)
	r.counted(t)
	for _, change := range []string{`state = 'accepted'`, `status = 'SENDT'`, `status = 'LEVERT'`, `created_at = created_at - interval '1 day'`, `state = 'draft'`} {
		r.exec(t, `UPDATE items SET `+change+` WHERE account_id = $1`, r.Account.ID)
		r.counted(t)
	}
}

// TestListNarrowed: each filter shows the items that match, and only the account's own.
func TestListNarrowed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	colleague := r.other(t)
	colleague.Account = r.Account
	sms := r.in(t, dispatch.StateQueued)
	theirs := colleague.in(t, dispatch.StateQueued)
	shipment := r.sentShipment(t, func(s *dispatch.Shipment) { s.BillingCode, s.Type = "SKOLE-1", "Vedtak" })
	signed := r.sentShipment(t, func(s *dispatch.Shipment) { s.SignBy = time.Now().Add(48 * time.Hour) })
	r.exec(t, `UPDATE shipments SET signing_status = 'VENTER_SIGNERING' WHERE item_id = $1`, signed)
	r.exec(t, `UPDATE items SET state = 'accepted', status = 'VARSLET' WHERE id = $1`, shipment)
	r.exec(t, `UPDATE items SET created_at = '2026-03-02 12:00Z' WHERE id = $1`, theirs)
	if _, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{}); err != nil { // opened and left: no draft
		t.Fatal(err)
	}
	draft, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := r.other(t)
	elsewhere.sentShipment(t, func(s *dispatch.Shipment) { s.BillingCode, s.Type = "SKOLE-1", "Vedtak" })
	elsewhere.in(t, dispatch.StateQueued)

	day := func(text string) time.Time { d, _ := dispatch.ParseDay(text); return d }
	for name, tt := range map[string]struct {
		filter dispatch.ListFilter
		want   []dispatch.ItemID
	}{
		"everything":             {dispatch.ListFilter{}, []dispatch.ItemID{signed, shipment, sms, theirs}},
		"SMS":                    {dispatch.ListFilter{Kind: dispatch.KindSMS}, []dispatch.ItemID{sms, theirs}},
		"shipments":              {dispatch.ListFilter{Kind: dispatch.KindShipment}, []dispatch.ItemID{signed, shipment}},
		"a sender":               {dispatch.ListFilter{Sender: colleague.User}, []dispatch.ItemID{theirs}},
		"a billing code":         {dispatch.ListFilter{BillingCode: "SKOLE-1"}, []dispatch.ItemID{shipment}},
		"a type":                 {dispatch.ListFilter{Type: "Vedtak"}, []dispatch.ItemID{shipment}},
		"signing":                {dispatch.ListFilter{Signing: dispatch.SigningWaiting}, []dispatch.ItemID{signed}},
		"a status":               {dispatch.ListFilter{Status: "VARSLET"}, []dispatch.ItemID{shipment}},
		"a status of SMS":        {dispatch.ListFilter{Status: "VARSLET", Kind: dispatch.KindSMS}, nil},
		"from a day":             {dispatch.ListFilter{From: day("3.3.2026")}, []dispatch.ItemID{signed, shipment, sms}},
		"to a day":               {dispatch.ListFilter{To: day("3.3.2026")}, []dispatch.ItemID{theirs}},
		"a day":                  {dispatch.ListFilter{From: day("2.3.2026"), To: day("3.3.2026")}, []dispatch.ItemID{theirs}},
		"a group":                {dispatch.ListFilter{Group: dispatch.GroupWorking}, []dispatch.ItemID{signed, shipment, sms, theirs}},
		"what is not sent yet":   {dispatch.ListFilter{Group: dispatch.GroupPlanned}, []dispatch.ItemID{draft}},
		"a group and a billing":  {dispatch.ListFilter{Group: dispatch.GroupArrived, BillingCode: "SKOLE-1"}, nil},
		"shipments' fields, SMS": {dispatch.ListFilter{Kind: dispatch.KindSMS, Type: "Vedtak"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _ := r.page(t, lists.ListQuery{Viewer: r.User, Filter: tt.filter}, store.Page{Limit: 10})
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			turned, _, _ := r.page(t, lists.ListQuery{Viewer: r.User, Filter: tt.filter}, store.Page{Limit: 10, Oldest: true})
			slices.Reverse(turned)
			if !slices.Equal(turned, tt.want) {
				t.Errorf("the oldest first: got %v in reverse, want %v", turned, tt.want)
			}
		})
	}
	t.Run("what lists can be narrowed to", func(t *testing.T) {
		got, err := lists.In(r.s).Items.Choices(t.Context(), r.Account.ID)
		if err != nil || len(got.Senders) != 2 || !slices.Equal(got.BillingCodes, []string{"SKOLE-1"}) || !slices.Equal(got.Types, []string{"Vedtak"}) ||
			len(got.Statuses[dispatch.KindSMS]) != 0 || !slices.Equal(got.Statuses[dispatch.KindShipment], []dispatch.Status{"VARSLET"}) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// TestListTellsTheDeadline: of shipments that are to be signed, however the list is read.
func TestListTellsTheDeadline(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	by := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	signed := r.sentShipment(t, func(s *dispatch.Shipment) { s.SignBy = by })
	r.sentShipment(t, nil)
	r.queued(t)
	for name, q := range map[string]lists.ListQuery{"all": {}, "shipments": {Filter: dispatch.ListFilter{Kind: dispatch.KindShipment}}, "a few": {Filter: dispatch.ListFilter{BillingCode: "", Kind: dispatch.KindShipment, Group: dispatch.GroupWorking}}} {
		q.Viewer, q.Page = r.Actor.User, store.Page{Limit: 10}
		rows, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q)
		if err != nil || len(rows) < 2 {
			t.Fatal(name, len(rows), err)
		}
		for _, row := range rows {
			if (row.ID == signed) != row.SignBy.Equal(by) {
				t.Errorf("%s: %s is to be signed by %s", name, row.Kind, row.SignBy)
			}
		}
	}
}

// sentShipment stores a shipment to Ola Nordmann and sends it.
func (r rig) sentShipment(t *testing.T, change func(*dispatch.Shipment)) dispatch.ItemID {
	t.Helper()
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	content := dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending", DigitalOnly: true, Recipient: dispatch.Address{
		Postal: dispatch.PostalAddress{Name: "Ola Nordmann"}, Digital: dispatch.DigitalAddress{NationalID: "12047800155"}}}
	if change != nil {
		change(&content)
	}
	if err := items.In(r.s).Drafts.Queue(t.Context(), r.Account, id, r.Actor, 1, content); err != nil {
		t.Fatal(err)
	}
	return id
}

// TestSearchFinds: words in any order, prefixes, numbers and ids; never another account's, never a draft.
func TestSearchFinds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	named := func(r rig, name, title, reference string) dispatch.ItemID {
		return r.sentShipment(t, func(s *dispatch.Shipment) {
			s.Recipient.Postal.Name, s.Title, s.ExternalReference, s.CorrelationID = name, title, reference, "Kull "+name
			s.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "974760673"}
		})
	}
	ase := named(r, "Åse-Marie BJØRKHAUG", "Vedtak om skoleskyss", "2026/1234")
	ola := named(r, "Ola Nordmann", "Innkalling", "")
	phone := r.Queue(t, r.s, storetest.ToPhone("+4790000123", "Hei"))
	person := r.Queue(t, r.s, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12047800155"}, Text: "Hei"})
	elsewhere := r.other(t)
	foreign := named(elsewhere, "Åse Bjørkhaug", "Vedtak om skoleskyss", "2026/1234")
	elsewhere.Queue(t, r.s, storetest.ToPhone("90000123", "Hei"))
	draft, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	err = items.In(r.s).Drafts.Save(t.Context(), r.Account.ID, &dispatch.Draft{Item: dispatch.Item{ID: draft}, Version: 1,
		Fields: dispatch.DraftFields{Title: "Vedtak om skoleskyss", Name: "Åse Bjørkhaug"}}, r.Actor)
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][]dispatch.ItemID{
		"bjørkhaug åse":    {ase},
		"ÅSE bjørkh":       {ase},
		"marie":            {ase},
		"skoleskyss":       {ase},
		"2026/1234":        {ase},
		"1234 ås":          {ase},
		"bjørkhaug ola":    nil,
		"haug":             nil,
		"o":                {ola, ase}, // "om" of a title
		"kull ola":         {ola},      // of a correlation id
		"xyzzy":            nil,
		"50%":              nil,
		"_la":              nil,
		"123":              {phone, ase}, // of a phone, and of a reference
		"999":              nil,
		"90000123":         {phone},
		"0047 900 00 123":  {phone},
		"120478 00155":     {person},
		"974760673":        {ola, ase},
		"02813299990":      nil,
		string(ase):        {ase},
		string(foreign):    nil,
		string(draft):      nil, // drafts have a page of their own
		uuid.NewString():   nil,
		"Åse'; DROP TABLE": nil,
	} {
		t.Run(typed, func(t *testing.T) {
			wanted, problem := dispatch.ParseSearch(typed)
			if problem != nil {
				t.Fatal(problem.Key)
			}
			id, _, err := lists.In(r.s).Searches.Save(t.Context(), r.Account.ID, r.Actor, wanted)
			if err != nil {
				t.Fatal(err)
			}
			search, err := lists.In(r.s).Searches.ByID(t.Context(), r.Account.ID, r.User, id)
			if err != nil {
				t.Fatal(err)
			}
			got, _, _ := r.page(t, lists.ListQuery{Viewer: r.User, Search: &search}, store.Page{Limit: 10})
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			for _, x := range []rig{elsewhere, {Sample: storetest.Sample{Account: r.Account, User: elsewhere.User}, s: r.s}} {
				_, err := lists.In(x.s).Searches.ByID(t.Context(), x.Account.ID, x.User, id)
				wantErr(t, err, store.ErrNotFound)
			}
		})
	}
	t.Run("what was searched for is sealed, and the event log has nothing of it", func(t *testing.T) {
		all := read[string](t, r, `SELECT string_agg(encode(content, 'escape'), ' ') FROM searches`) + read[string](t, r, `SELECT string_agg(a::text, ' ') FROM audit_events a`)
		for _, words := range []string{"bjørkhaug", "skoleskyss", "90000123"} {
			if strings.Contains(all, words) {
				t.Errorf("%q stands in clear", words)
			}
		}
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'list.search' AND details->>'person' = 'true'`); n != 5 {
			t.Errorf("%d searches for a person are noted", n)
		}
	})
	t.Run("its time is up", func(t *testing.T) {
		r.exec(t, `UPDATE searches SET expires_at = now()`)
		if err := registry.In(r.s).Sessions.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := read[int](t, r, `SELECT count(*) FROM searches`); n != 0 {
			t.Errorf("%d are left", n)
		}
	})
}

// TestSearchOfCommonWords: a word that most shipments have is compared too, without using the index for it.
func TestSearchOfCommonWords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	titled := func(title string) dispatch.ItemID {
		return r.sentShipment(t, func(s *dispatch.Shipment) { s.Title = title })
	}
	want := titled("Endelig vedtak om skoleskyss")
	for _, title := range []string{"Endelig vedtak om barnehage", "Endelig svar om skoleskyss", "Nytt vedtak om skoleskyss"} {
		titled(title)
	}
	for _, words := range []string{"endelig vedtak skoleskyss", "skole ola vedt end", "vedtak om skoleskyss endelig nordmann"} {
		search := lists.Search{Words: strings.Fields(words)}
		items, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.User, Search: &search, Page: store.Page{Limit: 10}})
		if err != nil || len(items) != 1 || items[0].ID != want {
			t.Errorf("%s: got %d shipments, %v", words, len(items), err)
		}
	}
}

// TestSearchPages: what words find is paged as a list is.
func TestSearchPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var want []dispatch.ItemID
	for i := range 7 {
		want = append(want, r.sentShipment(t, func(s *dispatch.Shipment) { s.Title = fmt.Sprintf("Brev %d", i) }))
	}
	slices.Reverse(want)
	search := lists.Search{Words: []string{"ola", "brev"}}
	var got []dispatch.ItemID
	w := store.Page{Limit: 3}
	for range 3 {
		items, older, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.User, Search: &search, Page: w})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			got = append(got, it.ID)
		}
		if older != (len(got) < len(want)) {
			t.Errorf("older is %t after %d", older, len(got))
		}
		last := items[len(items)-1]
		w.Before = store.Cursor{At: last.CreatedAt, ID: last.ID}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
