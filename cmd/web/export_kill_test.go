package main_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// TestKilledExport: a process that dies while making a file leaves it to the next one, which makes the whole file
// once.
func TestKilledExport(t *testing.T) {
	t.Parallel()
	const shipments = 5000
	s := newStack(t, stackOptions{})
	kari, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: "kari", Name: "Kari Nordmann"})
	if err != nil {
		t.Fatal(err)
	}
	s.fillShipments(t, kari, shipments, time.Now())
	order := func() string {
		id, err := lists.In(s.store).Exports.Order(t.Context(), lists.ExportOrder{Account: s.oppvekst.ID, By: store.Actor{User: kari}, Format: dispatch.FormatCSV, Query: lists.ListQuery{Viewer: kari}})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	id := order()
	export := func() lists.Export {
		e, err := lists.In(s.store).Exports.ByID(t.Context(), s.oppvekst.ID, kari, id)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	eventually(t, "the export is half made", func() bool {
		e := export()
		if e.Done {
			id = order() // it was too fast for us
		}
		return !e.Done && e.Rows > 0
	})
	s.web.kill()
	if e := export(); e.Done || e.Failed {
		t.Fatalf("it is not half made: %+v", e.Export)
	}
	if _, err := storetest.DB(t, s.database).Exec(`UPDATE exports SET lease_until = now() WHERE done_at IS NULL`); err != nil {
		t.Fatal(err) // instead of waiting for it
	}
	s.startWeb()
	eventually(t, "another process has made the export", func() bool { return export().Done })
	file := lists.In(s.store).Exports.File(t.Context(), export())
	defer file.Close()
	content, err := io.ReadAll(file)
	if got := bytes.Count(content, []byte("\r\n")); err != nil || got != shipments+1 {
		t.Errorf("the file has %d lines, %v, want %d and their head", got, err, shipments)
	}
}

// fillShipments puts shipments into an account as if they had been sent until a time.
func (s *stack) fillShipments(t *testing.T, by dispatch.UserID, n int, until time.Time) {
	t.Helper()
	made := 0
	err := items.In(s.store).Filler.Fill(t.Context(), s.oppvekst.ID, func() (items.Filled, bool) {
		made++
		h := &dispatch.Shipment{Title: fmt.Sprint("Brev ", made), SourceSystem: "Utsending"}
		h.Recipient.Postal.Name = "Åse Nordmann"
		at := until.Add(-time.Duration(made) * time.Second)
		return items.Filled{At: at, By: by, Shipment: h, State: dispatch.StateAccepted, Status: dispatch.StatusRead}, made <= n
	})
	if err != nil {
		t.Fatal(err)
	}
}
