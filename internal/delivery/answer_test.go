package delivery_test

import (
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// wantAnswer expects the simulator's whole answer with an ErrorMessage.
func wantAnswer(t *testing.T, a dispatch.Answer, status int) {
	t.Helper()
	if a.Status != status || a.Message == "" || a.ErrorCode == "" || !strings.Contains(a.ErrorJSON, "detail") || a.Path == "" || a.ErrorID == "" || a.At.IsZero() {
		t.Errorf("kept %+v", a)
	}
}

// TestAnswerIsKept: the service's answer is stored whole, for an SMS, each SMS of a batch and a shipment, and deleted
// after success.
func TestAnswerIsKept(t *testing.T) {
	t.Parallel()
	t.Run("SMS", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, simulator.Options{})
		refused, html, busy := r.queue(t, "400"), r.queue(t, "909"), r.queue(t, "910")
		r.start(t)
		wantAnswer(t, r.awaitState(t, refused, dispatch.StateRejected).Answer, 400)
		if a := r.awaitState(t, html, dispatch.StateUncertain).Answer; a != (dispatch.Answer{}) {
			t.Errorf("HTML became %+v", a)
		}
		if a := r.awaitState(t, busy, dispatch.StateAccepted).Answer; a != (dispatch.Answer{}) {
			t.Errorf("an accepted SMS has %+v", a)
		}
	})
	t.Run("batch", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, simulator.Options{})
		list := storetest.ListOf(nil, storetest.Row(1, number("400")), storetest.Row(2, number("020")))
		job := r.SendJob(t, r.s, list, items.JobText{Text: text, Mode: dispatch.ModeFast})
		r.start(t)
		r.awaitJob(t, job, dispatch.JobDone)
		for _, id := range strings.Fields(read[string](t, r, `SELECT string_agg(id::text, ' ') FROM items`)) {
			wantAnswer(t, r.awaitState(t, dispatch.ItemID(id), dispatch.StateRejected).Answer, 400)
		}
	})
	t.Run("shipment", func(t *testing.T) {
		t.Parallel()
		l := newV2Shipments(t, simulator.Options{})
		l.fault("Vedtak", simulator.Status(400))
		wantAnswer(t, l.awaitState(t, l.send(t, "Vedtak"), dispatch.StateRejected).Answer, 400)
	})
}
