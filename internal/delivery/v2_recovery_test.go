package delivery_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/dispatch"
)

// sys is the system name of our own shipments.
const sys = "Utsending"

// wantAdopted waits until a shipment is accepted, and expects that it is the only one of its title, sent once.
func (l *shipments) wantAdopted(t *testing.T, id dispatch.ItemID, reference string) {
	t.Helper()
	it := l.awaitState(t, id, dispatch.StateAccepted)
	booked := l.shipped(it.Title)
	if len(booked) != 1 || booked[0].ID != it.UpstreamID || booked[0].ExternalReference != reference || l.sent(it.Title) != 1 {
		t.Errorf("accepted as %q, sent %d times, booked as %+v", it.UpstreamID, l.sent(it.Title), booked)
	}
	l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
}

// wantV2LeftToPerson waits until no look-up is planned any more, and expects one submission.
func (l *shipments) wantV2LeftToPerson(t *testing.T, id dispatch.ItemID) {
	t.Helper()
	it := l.await(t, id, "not left to a person", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateUncertain && it.RecoverAt.IsZero() || it.State == dispatch.StateAccepted
	})
	if it.State != dispatch.StateUncertain || it.UpstreamID != "" || l.sent(it.Title) != 1 {
		t.Errorf("it is %s as %q, sent %d times; want a person to decide", it.State, it.UpstreamID, l.sent(it.Title))
	}
}

// TestRecoveryByReference is about the generations that reserve no id; those after V2 find what is lost as V2 does.
func TestRecoveryByReference(t *testing.T) {
	t.Parallel()
	const lost, cut = "Vedtak [svar tapt]", "Vedtak [tapt]"
	for name, f := range map[string]func(*testing.T, *shipments){
		"an answer that was lost": func(t *testing.T, l *shipments) {
			id := l.send(t, lost)
			it := l.awaitState(t, id, dispatch.StateAccepted)
			if b := l.shipped(lost); len(b) != 1 || b[0].ID != it.UpstreamID || b[0].ExternalReference != string(id) || b[0].Generation != simulator.GenerationV3 {
				t.Errorf("accepted as %s, booked as %+v", it.UpstreamID, b)
			}
			l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool {
				return it.Status == dispatch.StatusRead && len(it.Events) > 0 && len(it.Files) > 0
			})
		},
		"a call that was cut off": func(t *testing.T, l *shipments) { l.wantV2LeftToPerson(t, l.send(t, cut)) },
		"another system's of one key": func(t *testing.T, l *shipments) {
			l.wantV2LeftToPerson(t, l.unasked(t, lost, func(id dispatch.ItemID) { l.strange(t, string(id), sys) }))
		},
		"what it has no field for": func(t *testing.T, l *shipments) {
			it := l.awaitState(t, l.send(t, "Vedtak", func(s *dispatch.Shipment) { s.Print.Color = true }), dispatch.StateRejected)
			if it.Reason.Key != "reason.invalid" || l.sent("Vedtak") != 0 {
				t.Errorf("reason %+v, sent %d times", it.Reason, l.sent("Vedtak"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newShipmentsOver(t, dispatch.IntegrationShipmentV3, simulator.Options{})
			f(t, l)
			l.wantNoBreach(t)
		})
	}
}

func TestV2Recovery(t *testing.T) {
	t.Parallel()
	const lost, cut = "Vedtak [svar tapt]", "Vedtak [tapt]"
	test := func(name string, f func(t *testing.T, l *shipments)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newV2Shipments(t, simulator.Options{})
			f(t, l)
			l.wantNoBreach(t)
		})
	}
	test("a shipment whose answer was lost is found by our own reference", func(t *testing.T, l *shipments) {
		id := l.send(t, lost)
		l.wantAdopted(t, id, string(id))
	})
	for name, f := range map[string]simulator.Fault{"no id": simulator.AcceptedNoID, "HTML": simulator.AcceptedHTML, "half an answer": simulator.HalfAnswer} {
		test("a shipment that was taken and answered with "+name+" is found", func(t *testing.T, l *shipments) {
			l.fault("Vedtak", f)
			id := l.send(t, "Vedtak")
			l.wantAdopted(t, id, string(id))
		})
	}
	for name, f := range map[string]simulator.Fault{"no id": simulator.NoID, "HTML": simulator.HTMLAnswer, "400 and HTML": simulator.HTMLError, "500": http.StatusInternalServerError} {
		test("a shipment that was not taken and answered with "+name+" is left to a person", func(t *testing.T, l *shipments) {
			l.fault("Vedtak", f)
			l.wantV2LeftToPerson(t, l.send(t, "Vedtak"))
		})
	}
	test("a shipment that was cut off is left to a person after the window", func(t *testing.T, l *shipments) {
		l.wantV2LeftToPerson(t, l.send(t, cut))
	})
	test("another system's shipment with the same reference is not ours", func(t *testing.T, l *shipments) {
		id := l.unasked(t, lost, func(id dispatch.ItemID) { l.strange(t, string(id), "Fagsystemet") })
		l.wantAdopted(t, id, string(id))
	})
	test("another system's shipment is not taken for one that never arrived", func(t *testing.T, l *shipments) {
		l.wantV2LeftToPerson(t, l.unasked(t, cut, func(id dispatch.ItemID) { l.strange(t, string(id), "Fagsystemet") }))
	})
	test("of two that may be ours a person picks", func(t *testing.T, l *shipments) {
		l.wantV2LeftToPerson(t, l.unasked(t, lost, func(id dispatch.ItemID) { l.strange(t, string(id), sys) }))
	})
	test("one that another shipment of ours is known by is not taken", func(t *testing.T, l *shipments) {
		first := l.send(t, "Vedtak")
		l.awaitState(t, first, dispatch.StateAccepted)
		l.wantV2LeftToPerson(t, l.unasked(t, cut, func(id dispatch.ItemID) { l.sentAs(t, id, string(first)) }))
	})
	test("one that another shipment of ours is known by over another integration is not taken", func(t *testing.T, l *shipments) {
		first := l.send(t, "Vedtak")
		l.awaitState(t, first, dispatch.StateAccepted)
		in := dispatch.Integration{Name: "V2 på nytt", Kind: dispatch.IntegrationShipmentV2, Service: "v2", Parallelism: 4, RatePerSec: 1000}
		l.sendOver(t, l.integration(t, in, v2Credentials()))
		l.wantV2LeftToPerson(t, l.unasked(t, cut, func(id dispatch.ItemID) { l.sentAs(t, id, string(first)) }))
	})
	test("the person's own reference goes out as correlation id, where that is empty", func(t *testing.T, l *shipments) {
		l.awaitState(t, l.send(t, "Tom", filedAs("SAK-1")), dispatch.StateAccepted)
		l.awaitState(t, l.send(t, "Fylt", filedAs("SAK-1"), func(s *dispatch.Shipment) { s.CorrelationID = "Kull 2026" }), dispatch.StateAccepted)
		if a, b := l.shipped("Tom"), l.shipped("Fylt"); len(a) != 1 || a[0].CorrelationID != "SAK-1" || len(b) != 1 || b[0].CorrelationID != "Kull 2026" {
			t.Errorf("booked as %+v and %+v", a, b)
		}
	})
	test("a shipment from before references were kept is found by the person's own", func(t *testing.T, l *shipments) {
		id := l.unasked(t, cut, func(id dispatch.ItemID) {
			l.strange(t, "SAK-1", sys)
			l.sentAs(t, id, "")
		}, filedAs("SAK-1"))
		if it := l.awaitState(t, id, dispatch.StateAccepted); it.UpstreamID != l.shipped("Vedtak fra fagsystemet")[0].ID {
			t.Errorf("accepted as %s", it.UpstreamID)
		}
	})
	test("while the look-up fails it is looked up again, also after the window", func(t *testing.T, l *shipments) {
		l.sim.SetChaos(func(operation, _ string) simulator.Fault {
			if operation == shipmentv2.OpReferencesMetadata {
				return simulator.Status(http.StatusInternalServerError)
			}
			return simulator.NoFault
		})
		id := l.send(t, lost)
		it := l.await(t, id, "not looked up ten times", func(it dispatch.ShipmentItem) bool { // at most four times within the window
			return it.State == dispatch.StateUncertain && (it.RecoverAt.IsZero() || l.calls(shipmentv2.OpReferencesMetadata, "") >= 10)
		})
		if it.RecoverAt.IsZero() {
			t.Error("it is left to a person before the service could be asked")
		}
		l.sim.SetChaos(nil)
		l.wantAdopted(t, id, string(id))
	})
}

func TestV2RecoveryGoesByTheTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		earlier time.Duration
		want    func(l *shipments, t *testing.T, id dispatch.ItemID)
	}{
		"a shipment of our own name from long before is not the one":  {6 * time.Minute, func(l *shipments, t *testing.T, id dispatch.ItemID) { l.wantAdopted(t, id, string(id)) }},
		"a shipment whose time is a stand-in for none may be the one": {40 * 365 * 24 * time.Hour, func(l *shipments, t *testing.T, id dispatch.ItemID) { l.wantV2LeftToPerson(t, id) }},
		"a shipment from shortly before may be the one":               {4 * time.Minute, func(l *shipments, t *testing.T, id dispatch.ItemID) { l.wantV2LeftToPerson(t, id) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var behind atomic.Int64 // how far the service's clock is behind
			l := newV2Shipments(t, simulator.Options{Now: func() time.Time { return time.Now().Add(-time.Duration(behind.Load())) }})
			test.want(l, t, l.unasked(t, "Vedtak [svar tapt]", func(id dispatch.ItemID) {
				behind.Store(int64(test.earlier))
				l.strange(t, string(id), sys)
				behind.Store(0)
			}))
		})
	}
}

// TestShipmentsWithOneReferenceDoNotWaitForEachOther: people type case numbers, which many shipments share.
func TestShipmentsWithOneReferenceDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	const many = 20
	for name, rig := range map[string]func(t *testing.T) *shipments{
		"V2":                 func(t *testing.T) *shipments { return newV2Shipments(t, simulator.Options{}) },
		"V1 without its ids": func(t *testing.T) *shipments { return newShipments(t, simulator.Options{}, unreserved) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := rig(t)
			lost := l.send(t, "Tapt [tapt]", filedAs("SAK-1"))
			l.awaitState(t, lost, dispatch.StateUncertain)
			found := l.send(t, "Funnet [svar tapt]", filedAs("SAK-1"))
			var others []dispatch.ItemID
			for n := range many - 2 {
				others = append(others, l.send(t, fmt.Sprint("Vedtak ", n), filedAs("SAK-1")))
			}
			for _, id := range append(others, found) {
				l.awaitState(t, id, dispatch.StateAccepted)
			}
			it := l.await(t, lost, "not left to a person", func(it dispatch.ShipmentItem) bool { return it.RecoverAt.IsZero() })
			if it.State != dispatch.StateUncertain {
				t.Errorf("the lost one is %s", it.State)
			}
			seen := map[string]bool{}
			for _, b := range l.sim.Shipments() {
				if seen[b.ExternalReference] {
					t.Errorf("%q went out twice as reference", b.ExternalReference)
				}
				seen[b.ExternalReference] = true
			}
			if stuck := ask[int](t, l, `SELECT count(*) FROM items WHERE state IN ('queued', 'sending')`); len(seen) != many-1 || stuck != 0 {
				t.Errorf("%d arrived and %d are stuck, want %d and none", len(seen), stuck, many-1)
			}
			l.wantNoBreach(t)
		})
	}
}
