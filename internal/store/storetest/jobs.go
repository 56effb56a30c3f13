package storetest

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// Row is a valid row of a list, with a phone number and personal fields.
func Row(position int, phone string, fields ...string) dispatch.JobRow {
	p := dispatch.Phone(phone)
	return dispatch.JobRow{Position: position, Recipient: dispatch.SMSRecipient{Phone: p}, Phone: p, Typed: phone, Fields: fields}
}

// ListOf is a list of the rows.
func ListOf(columns []string, rows ...dispatch.JobRow) items.List {
	return items.List{Columns: columns, Rows: func(do func(dispatch.JobRow) error) error {
		for _, r := range rows {
			if err := do(r); err != nil {
				return err
			}
		}
		return nil
	}}
}

// JobDraft stores a draft of a job with a list and a text.
func (sm Sample) JobDraft(t testing.TB, s *store.Store, list items.List, text items.JobText) dispatch.JobID {
	t.Helper()
	id, err := items.In(s).Jobs.Create(t.Context(), sm.Account.ID, sm.Actor, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := items.In(s).Rows.Fill(t.Context(), sm.Account.ID, id, sm.Actor, list); err != nil {
		t.Fatal(err)
	}
	if text.Mode == "" {
		text.Mode = dispatch.ModeTraceable
	}
	if err := items.In(s).Rows.SaveText(t.Context(), sm.Account.ID, id, sm.Actor, text); err != nil {
		t.Fatal(err)
	}
	return id
}

// SendJob stores and sends a job, without a check for duplicates.
func (sm Sample) SendJob(t testing.TB, s *store.Store, list items.List, text items.JobText) dispatch.JobID {
	t.Helper()
	id := sm.JobDraft(t, s, list, text)
	if err := items.In(s).SMSJobs.Send(t.Context(), sm.Account, id, sm.SeenJob(t, s, id), sm.Actor, true); err != nil {
		t.Fatal(err)
	}
	return id
}

// SeenJob is the current revision of a job's draft, as its review shows.
func (sm Sample) SeenJob(t testing.TB, s *store.Store, id dispatch.JobID) string {
	t.Helper()
	j, err := items.In(s).Jobs.ByID(t.Context(), sm.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return j.Revision
}
