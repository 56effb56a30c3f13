package main_test

import (
	"strings"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// storedItem is an item in the database after the storm.
type storedItem struct {
	State      dispatch.State
	UpstreamID string
	Reserved   string // id that was reserved for a shipment
	Planned    bool   // a look-up is planned
	Attempts   []dispatch.Attempt
}

func (s *storm) items() map[dispatch.ItemID]storedItem {
	s.t.Helper()
	items := map[dispatch.ItemID]storedItem{}
	rows, err := s.db.QueryContext(s.t.Context(), `
		SELECT id, state, coalesce(upstream_id::text, ''), coalesce(reserved_id::text, ''), recover_at IS NOT NULL FROM items WHERE state <> 'draft'`) // a draft may be left whose answer was lost
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id dispatch.ItemID
		var it storedItem
		if err := rows.Scan(&id, &it.State, &it.UpstreamID, &it.Reserved, &it.Planned); err != nil {
			s.t.Fatal(err)
		}
		items[id] = it
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return items
}

// addAttempts gives each item its attempts, oldest first. The attempts of one batch are reported as one.
func (s *storm) addAttempts(items map[dispatch.ItemID]storedItem) {
	s.t.Helper()
	rows, err := s.db.QueryContext(s.t.Context(), `
		SELECT item_id, coalesce(part_id, id), started_at, coalesce(finished_at, '0001-01-01'), outcome, resolution, reason_key, http_status, coalesce(upstream_id::text, '')
		FROM attempts ORDER BY ordinal`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id dispatch.ItemID
		var a dispatch.Attempt
		if err := rows.Scan(&id, &a.ID, &a.StartedAt, &a.FinishedAt, &a.Outcome, &a.Resolution, &a.Reason.Key, &a.Reason.HTTPStatus, &a.UpstreamID); err != nil {
			s.t.Fatal(err)
		}
		it := items[id]
		it.Attempts = append(it.Attempts, a)
		items[id] = it
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
}

// compare compares the service's books with the database, after a storm in which enough has happened.
func (s *storm) compare() {
	s.t.Helper()
	messages, posted := s.compareBooks()
	if s.kills() == 0 || messages.states[dispatch.StateAccepted] == 0 || messages.states[dispatch.StateUncertain] == 0 ||
		posted.states[dispatch.StateAccepted] == 0 || posted.died+posted.found+posted.again == 0 {
		s.t.Error("this was no storm")
	}
	for generation, posted := range s.over {
		if posted.states[dispatch.StateAccepted] == 0 {
			s.t.Errorf("nothing was accepted over V%d", generation)
		}
	}
}

// compareBooks compares the service's books with the database, and tells what became of SMS and shipments.
func (s *storm) compareBooks() (messages, posted tally) {
	s.t.Helper()
	items := s.items()
	s.addAttempts(items)
	if len(items) != len(s.sent) {
		s.t.Errorf("%d items are stored, %d were queued", len(items), len(s.sent))
	}
	books, shipments, told := s.booksByItem(), s.shipmentsByItem(), s.told()
	s.over = map[dispatch.Generation]*tally{}
	for _, row := range dispatch.GenerationRows() {
		s.over[row.Generation] = &tally{}
	}
	for id, one := range s.sent {
		it, ok := items[id]
		if !ok {
			s.wrong(id, it, "is lost")
			continue
		}
		if one.files == nil {
			messages.add(it)
			s.compareSMS(id, it, books[id], told)
			s.checkAttempts(id, it, func(int) bool { return false })
		} else {
			posted.add(it)
			s.over[one.generation()].add(it)
			s.compareShipment(id, it, shipments[id])
			s.checkAttempts(id, it, func(i int) bool { return s.lookedUp(it, i) })
		}
		s.checkTold(id, it, told)
	}
	s.t.Logf("SMS: %s; %d booked. Shipments: %s; %d booked. %d calls; %d kills, %d freezes",
		messages, len(s.sim.Books()), posted, len(s.sim.Shipments()), len(s.sim.Calls()), s.kills(), s.freezes)
	for generation, posted := range s.over {
		s.t.Logf("over V%d: %s", generation, posted)
	}
	if got := s.sim.Violations(); len(got) > 0 {
		s.t.Errorf("the service complains: %q", got)
	}
	if s.t.Failed() {
		s.t.Logf("KILL_SEED=%d", s.seed)
	}
	return messages, posted
}

// booksByItem finds the item of each accepted SMS by its phone number, which no other item has.
func (s *storm) booksByItem() map[dispatch.ItemID][]simulator.SMS {
	s.t.Helper()
	byPhone := map[string]dispatch.ItemID{}
	for id, one := range s.sent {
		if one.files == nil {
			byPhone[one.phone] = id
		}
	}
	books := map[dispatch.ItemID][]simulator.SMS{}
	for _, b := range s.sim.Books() {
		id, ok := byPhone[b.Phone]
		if !ok {
			s.t.Errorf("nobody has sent to %s", b.Phone)
			continue
		}
		if one := s.sent[id]; b.Text != one.text || b.AccountID != one.account.SMSAccountID || b.Batch != one.fast {
			s.t.Errorf("%q went to %s from %s, in a batch: %t; want %q from %s", b.Text, b.Phone, b.AccountID, b.Batch, one.text, one.account.SMSAccountID)
		}
		books[id] = append(books[id], b)
	}
	return books
}

// compareSMS compares one SMS in the database with what the service has accepted.
func (s *storm) compareSMS(id dispatch.ItemID, it storedItem, booked []simulator.SMS, told map[dispatch.AttemptID]dispatch.Outcome) {
	s.t.Helper()
	if len(booked) > 1 {
		s.wrong(id, it, "is booked %d times", len(booked))
	}
	switch {
	case it.State == dispatch.StateAccepted && len(booked) == 0:
		s.wrong(id, it, "is accepted, and the service does not know it")
	case it.State == dispatch.StateAccepted:
		if it.UpstreamID != booked[0].ID && !s.sent[id].fast || it.UpstreamID != "" && s.sent[id].fast {
			s.wrong(id, it, "is accepted as %q, and booked as %s", it.UpstreamID, booked[0].ID)
		}
	case it.State == dispatch.StateUncertain:
		if len(booked) > 0 && !booked[0].AnswerLost && !s.killedIn(it.Attempts, told) && !(s.disturbed != nil && s.disturbed(it.Attempts)) {
			s.wrong(id, it, "is uncertain although its answer came and nobody was killed")
		}
	case it.State == dispatch.StateRejected:
		if len(booked) > 0 {
			s.wrong(id, it, "is rejected, and booked")
		}
	default:
		s.wrong(id, it, "is neither sent nor given up")
	}
}

// checkAttempts checks that no item that may have been sent was retried; again tells whether an uncertain attempt may
// be followed by another.
func (s *storm) checkAttempts(id dispatch.ItemID, it storedItem, again func(i int) bool) {
	s.t.Helper()
	if len(it.Attempts) == 0 {
		s.wrong(id, it, "was never tried")
	}
	for i, a := range it.Attempts {
		last := i == len(it.Attempts)-1
		switch a.Outcome {
		case dispatch.OutcomeUnavailable, dispatch.OutcomeRefused:
			if last {
				s.wrong(id, it, "was not tried again")
			}
		case dispatch.OutcomeNone:
			s.wrong(id, it, "has an attempt without an end")
		default:
			if !last && (a.Outcome != dispatch.OutcomeUncertain || !again(i)) {
				s.wrong(id, it, "was tried again after it was "+string(a.Outcome))
			}
		}
	}
}

// wrong tells what is wrong with an item, with all that is known of it.
func (s *storm) wrong(id dispatch.ItemID, it storedItem, format string, args ...any) {
	s.t.Helper()
	if s.wrongs++; s.wrongs > 10 { // the first ones tell enough
		s.t.Fail()
		return
	}
	one := s.sent[id]
	var b strings.Builder
	for _, a := range it.Attempts {
		b.WriteString("\n\tattempt " + a.StartedAt.Format(time.StampMilli) + " – " + a.FinishedAt.Format(time.StampMilli) + " " +
			string(a.Outcome) + " " + a.Reason.Key + " " + a.UpstreamID)
	}
	events, err := s.store.Events(s.t.Context(), one.account.ID, id)
	if err != nil {
		b.WriteString("\n\t" + err.Error())
	}
	for _, e := range events {
		b.WriteString("\n\tevent " + e.At.Format(time.StampMilli) + " " + string(e.Kind) + " " + e.Detail + " " + e.Reason.Key)
	}
	for _, c := range s.sim.Calls() {
		if c.Recipient == one.phone && one.files == nil || c.Recipient == one.text {
			b.WriteString("\n\tcall " + c.At.Format(time.StampMilli) + " " + c.Operation + " " + c.Fault)
		}
	}
	for _, at := range s.lookUps.of(it.Reserved) {
		b.WriteString("\n\tlooked up " + at.Format(time.StampMilli))
	}
	s.t.Errorf("item %s (%s) "+format+"%s", append(append([]any{id, it.State}, args...), b.String())...)
}
