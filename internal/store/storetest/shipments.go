package storetest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// ShipmentRow is a row of a list for a shipment.
func ShipmentRow(position int, number, name string) dispatch.JobRow {
	return dispatch.JobRow{Position: position, Shipment: &dispatch.ShipmentRecipient{Number: number, Postal: dispatch.PostalAddress{
		Name: name, Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}}
}

// ShipmentRows is a list of n different recipients.
func ShipmentRows(n int) items.List {
	rows := make([]dispatch.JobRow, n)
	for i := range rows {
		rows[i] = ShipmentRow(i+1, fmt.Sprintf("%011d", 1810000000+i), fmt.Sprintf("Mottaker %d", i+1))
	}
	return ListOf(nil, rows...)
}

// Shipment is a draft of a shipment with a list.
type Shipment struct {
	Draft dispatch.ItemID
	Job   dispatch.JobID
	items.Shipment
}

// ShipmentJob stores a draft of a shipment with one file of that content, and its list.
func (sm Sample) ShipmentJob(t testing.TB, s *store.Store, content string, list items.List) Shipment {
	t.Helper()
	var l Shipment
	var err error
	l.Fields, l.ChecksVersion = dispatch.DraftFields{Title: "Vedtak"}, "1"
	if l.Draft, err = items.In(s).Drafts.Create(t.Context(), sm.Account.ID, sm.Actor, uuid.NewString(), l.Fields); err != nil {
		t.Fatal(err)
	}
	d, err := items.In(s).Documents.Add(t.Context(), items.Upload{
		Account: sm.Account.ID, Item: l.Draft, User: sm.Actor.User, FileName: "brev.pdf", Content: strings.NewReader(content),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1}, nil
		},
	})
	if err == nil {
		l.Job, err = items.In(s).ShipmentJobs.Create(t.Context(), sm.Account.ID, l.Draft, sm.Actor)
	}
	if err == nil {
		_, err = items.In(s).Rows.Fill(t.Context(), sm.Account.ID, l.Job, sm.Actor, list)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Content = dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending", Type: "vedtak", Documents: []dispatch.Document{d}}
	return l
}

// LookOver records that no row has a problem with the shipment, so that all valid rows can be sent.
func (sm Sample) LookOver(t testing.TB, s *store.Store, l Shipment) {
	t.Helper()
	if err := items.In(s).ShipmentJobs.KeepChecks(t.Context(), sm.Account.ID, l.Job, sm.Actor, sm.SeenJob(t, s, l.Job), items.Checks{As: l.ChecksVersion}); err != nil {
		t.Fatal(err)
	}
}

// SendShipments sends a shipment to its list, without a check for duplicates.
func (sm Sample) SendShipments(t testing.TB, s *store.Store, l Shipment) {
	t.Helper()
	sm.LookOver(t, s, l)
	if err := items.In(s).ShipmentJobs.Send(t.Context(), sm.Account, l.Job, sm.Actor, l.Shipment, true); err != nil {
		t.Fatal(err)
	}
}
