package delivery_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/upstream"
)

// unreserved is an integration that reserves no ids: uncertain shipments are looked up by external reference.
func unreserved(in *dispatch.Integration) { in.ReserveIDs = false }

// filedAs is a shipment with the person's own reference.
func filedAs(reference string) func(*dispatch.Shipment) {
	return func(s *dispatch.Shipment) { s.ExternalReference = reference }
}

// foreign sends a shipment past us, as the same sender. It differs in pages: our own shipments have one.
func (l *shipments) foreign(t *testing.T, reference string, pages int) {
	t.Helper()
	l.past(t, "v1", pages, func(s *dispatch.Shipment) { s.ExternalReference = reference })
}

// past sends a shipment to a service without the store.
func (l *shipments) past(t *testing.T, service string, pages int, change func(*dispatch.Shipment)) {
	t.Helper()
	client, err := upstream.New(l.store, l.services()).Client(t.Context(), l.account.ShipmentIntegration, service)
	if err != nil {
		t.Fatal(err)
	}
	file := pdftest.Make(pages)
	s := shipment("Vedtak fra fagsystemet", dispatch.Document{FileName: "Brev.pdf", MimeType: dispatch.MimePDF, Size: int64(len(file))})
	change(&s)
	to := shipmentapi.Target{AccountID: l.account.ShipmentAccountID}
	_, err = client.Shipments.Send(t.Context(), to, s, func(context.Context, dispatch.Document) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

// unasked makes a shipment uncertain, and acts before its look-up.
func (l *shipments) unasked(t *testing.T, title string, before func(id dispatch.ItemID), change ...func(*dispatch.Shipment)) dispatch.ItemID {
	t.Helper()
	l.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if operation == shipmentv1.OpExternalReference || operation == shipmentv2.OpReferencesMetadata {
			return simulator.Status(http.StatusInternalServerError)
		}
		return simulator.NoFault
	})
	id := l.send(t, title, change...)
	l.awaitState(t, id, dispatch.StateUncertain)
	before(id)
	l.sim.SetChaos(nil)
	return id
}

// sentAs changes the reference stored with an attempt; empty: none, as before migration 0050.
func (l *shipments) sentAs(t *testing.T, id dispatch.ItemID, reference string) {
	t.Helper()
	l.exec(t, `UPDATE attempts SET reference = nullif($2, '') WHERE item_id = $1`, id, reference)
}

// calls counts the calls of an operation; title is empty for any.
func (l *shipments) calls(operation, title string) int {
	n := 0
	for _, c := range l.sim.Calls() {
		if c.Operation == operation && (title == "" || c.Recipient == title) {
			n++
		}
	}
	return n
}

func (l *shipments) awaitState(t *testing.T, id dispatch.ItemID, state dispatch.State) dispatch.ShipmentItem {
	t.Helper()
	return l.await(t, id, "not "+string(state), func(it dispatch.ShipmentItem) bool { return it.State == state })
}

// wantLeftToPerson waits until no look-up is planned any more, and expects one submission.
func (l *shipments) wantLeftToPerson(t *testing.T, id dispatch.ItemID) {
	t.Helper()
	it := l.await(t, id, "not left to a person", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateUncertain && it.RecoverAt.IsZero() || it.State == dispatch.StateAccepted
	})
	if it.State != dispatch.StateUncertain || it.UpstreamID != "" {
		t.Errorf("it is %s as %q, want a person to decide", it.State, it.UpstreamID)
	}
	if n := l.calls(shipmentv1.OpSendShipment, it.Title); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

func TestShipmentsWithoutReservedIDs(t *testing.T) {
	t.Parallel()
	const lost, cut = "Vedtak [svar tapt]", "Vedtak [tapt]"
	test := func(name string, f func(t *testing.T, l *shipments)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newShipments(t, simulator.Options{}, unreserved)
			f(t, l)
			if v := l.sim.Violations(); len(v) > 0 || len(l.sim.Reserved()) > 0 {
				t.Errorf("rules of the contract broken: %q; ids reserved: %q", v, l.sim.Reserved())
			}
		})
	}
	// wantFound expects the only shipment that the service has under the id.
	wantFound := func(t *testing.T, l *shipments, id dispatch.ItemID, reference string) {
		t.Helper()
		it := l.awaitState(t, id, dispatch.StateAccepted)
		var booked []simulator.Shipment
		for _, s := range l.sim.Shipments() {
			if s.Title == it.Title {
				booked = append(booked, s)
			}
		}
		if len(booked) != 1 || booked[0].ID != it.UpstreamID || booked[0].ExternalReference != reference || booked[0].PreGenerated {
			t.Errorf("accepted as %q, booked as %+v, want reference %q", it.UpstreamID, booked, reference)
		}
	}
	test("a shipment whose answer was lost is found by our own reference", func(t *testing.T, l *shipments) {
		id := l.send(t, lost)
		wantFound(t, l, id, string(id))
	})
	test("the person's own reference goes out before it", func(t *testing.T, l *shipments) {
		id := l.send(t, lost, filedAs("SAK-1"))
		wantFound(t, l, id, "SAK-1 "+string(id))
	})
	test("a shipment whose answer was lost is told from others with the same reference by its documents", func(t *testing.T, l *shipments) {
		id := l.unasked(t, lost, func(id dispatch.ItemID) { l.foreign(t, string(id), 2) })
		wantFound(t, l, id, string(id))
	})
	test("another shipment with the same reference is not taken for one that never arrived", func(t *testing.T, l *shipments) {
		l.wantLeftToPerson(t, l.unasked(t, cut, func(id dispatch.ItemID) { l.foreign(t, string(id), 2) }))
	})
	test("of two that may be ours a person picks", func(t *testing.T, l *shipments) {
		l.wantLeftToPerson(t, l.unasked(t, lost, func(id dispatch.ItemID) { l.foreign(t, string(id), 1) }))
	})
	test("one that another shipment of ours is known by is not taken", func(t *testing.T, l *shipments) {
		first := l.send(t, "Vedtak")
		l.awaitState(t, first, dispatch.StateAccepted)
		l.wantLeftToPerson(t, l.unasked(t, cut, func(id dispatch.ItemID) { l.sentAs(t, id, string(first)) }))
	})
	test("nothing found is left to a person and never sent again", func(t *testing.T, l *shipments) {
		l.wantLeftToPerson(t, l.send(t, cut))
	})
	for _, operation := range []string{shipmentv1.OpExternalReference, shipmentv1.OpDocumentMetadata} {
		test("while "+operation+" fails it is looked up again, also after the window", func(t *testing.T, l *shipments) {
			l.sim.SetChaos(func(asked, _ string) simulator.Fault {
				if asked == operation {
					return simulator.Status(http.StatusInternalServerError)
				}
				return simulator.NoFault
			})
			id := l.send(t, lost)
			it := l.await(t, id, "not looked up ten times", func(it dispatch.ShipmentItem) bool { // at most four times within the window
				return it.State == dispatch.StateUncertain && (it.RecoverAt.IsZero() || l.calls(operation, "") >= 10)
			})
			if it.RecoverAt.IsZero() {
				t.Error("it is left to a person before the service could be asked")
			}
			l.sim.SetChaos(nil)
			wantFound(t, l, id, string(id))
		})
	}
}
