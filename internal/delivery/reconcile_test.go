package delivery_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// compare has the account compared with its services, and returns what came of it.
func (l *shipments) compare(t *testing.T) dispatch.Reconciliation {
	t.Helper()
	id, err := queue.In(l.store).Reconciliations.Order(t.Context(), l.account.ID, l.sample.Actor)
	if err != nil {
		t.Fatal(err)
	}
	var r dispatch.Reconciliation
	await.True(t, "the comparison ends", func() bool {
		if r, err = queue.In(l.store).Reconciliations.ByID(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return !r.DoneAt.IsZero()
	})
	return r
}

// wantVerdicts expects exactly these findings, with the strangers of each.
func wantVerdicts(t *testing.T, r dispatch.Reconciliation, want map[dispatch.ItemID]dispatch.Verdict) {
	t.Helper()
	got := map[dispatch.ItemID]dispatch.Verdict{}
	for _, row := range r.Rows {
		got[row.ID] = row.Verdict
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for id, verdict := range want {
		if got[id] != verdict {
			t.Errorf("item %s: got %q, want %q", id, got[id], verdict)
		}
	}
}

// slow reads no statuses by itself, so that items stay open.
func slow(o *delivery.Options) { o.Plan = dispatch.DefaultRefreshPlan() }

func TestReconcile(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) *shipments{
		"V1": func(t *testing.T) *shipments {
			l := shipmentsTo(t, simulator.Options{})
			l.sendOver(t, l.v1(t))
			return l
		},
		"V1 without reserved ids": func(t *testing.T) *shipments {
			l := shipmentsTo(t, simulator.Options{})
			l.sendOver(t, l.v1(t, func(in *dispatch.Integration) { in.ReserveIDs = false }))
			return l
		},
		"V2": func(t *testing.T) *shipments {
			l := shipmentsTo(t, knowing(simulator.Options{}))
			l.sendOver(t, l.over(t, dispatch.IntegrationShipmentV2))
			return l
		},
		"V3": func(t *testing.T) *shipments {
			l := shipmentsTo(t, knowing(simulator.Options{}))
			l.sendOver(t, l.over(t, dispatch.IntegrationShipmentV3))
			return l
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := start(t)
			l.work(t, slow)
			fine, forgotten, lost := l.send(t, "Vedtak"), l.send(t, "Vedtak [status 404]"), l.send(t, "Vedtak [svar tapt]")
			for _, id := range []dispatch.ItemID{fine, forgotten, lost} {
				l.awaitState(t, id, dispatch.StateAccepted)
			}
			l.exec(t, `UPDATE items SET next_check_at = NULL`)
			r := l.compare(t)
			wantVerdicts(t, r, map[dispatch.ItemID]dispatch.Verdict{forgotten: dispatch.VerdictMissing})
			if r.Cut || len(r.Silent) > 0 || r.By == "" || r.Counts[dispatch.VerdictBehind]+r.Counts[dispatch.VerdictAgrees] < 2 {
				t.Errorf("got %+v", r)
			}
			l.await(t, fine, "the status that the service has is not read", func(it dispatch.ShipmentItem) bool { return it.Status != "" })

			l.exec(t, `UPDATE items SET state = 'cancelled', upstream_id = NULL, accepted_at = NULL, integration_id = NULL WHERE id = $1`, lost)
			r = l.compare(t)
			wantVerdicts(t, r, map[dispatch.ItemID]dispatch.Verdict{forgotten: dispatch.VerdictMissing, lost: dispatch.VerdictThere})
			l.wantNoBreach(t)
		})
	}
}

// TestReconcileFindsDoubles: the service has two under the reference of one item, whose answer was once lost.
func TestReconcileFindsDoubles(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, knowing(simulator.Options{}))
	l.sendOver(t, l.v2(t))
	l.work(t, slow)
	id := l.send(t, "Vedtak [svar tapt]")
	l.awaitState(t, id, dispatch.StateAccepted)
	l.strange(t, string(id), sys)
	r := l.compare(t)
	wantVerdicts(t, r, map[dispatch.ItemID]dispatch.Verdict{id: dispatch.VerdictStranger})
	stranger := l.shipped("Vedtak fra fagsystemet")[0].ID
	if len(r.Rows) != 1 || !slices.Equal(r.Rows[0].Strangers, []string{stranger}) {
		t.Errorf("got %+v, want the stranger %s", r.Rows, stranger)
	}
}

// TestReconcileOfASilentService: what does not answer is asked no more after three calls, and nothing of it counts as missing.
func TestReconcileOfASilentService(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]simulator.Fault{"down": simulator.Status(http.StatusInternalServerError), "busy": simulator.Status(http.StatusTooManyRequests),
		"cut off": simulator.LostBefore, "no account": simulator.Status(http.StatusNotFound), "HTML": simulator.HTMLAnswer} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := shipmentsTo(t, knowing(simulator.Options{}))
			l.sendOver(t, l.v2(t))
			l.work(t, slow)
			id := l.send(t, "Vedtak")
			l.awaitState(t, id, dispatch.StateAccepted)
			l.sim.SetChaos(func(operation, _ string) simulator.Fault {
				if operation == shipmentv2.OpStatuses {
					return f
				}
				return simulator.NoFault
			})
			r := l.compare(t)
			if r.Counts[dispatch.VerdictUnanswered] != 1 || len(r.Rows) > 0 || len(r.Silent) != 1 || r.Silent[0].Name == "" || r.Silent[0].Key == "" || r.Clean() {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// TestReconcileSMS: a call for each message, and no more than three to a service that is down.
func TestReconcileSMS(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{Pace: time.Nanosecond})
	r.start(t)
	ids := r.sent(t, "005", "922")
	order := func() dispatch.Reconciliation {
		l := &shipments{store: r.s, sample: r.Sample, account: r.Account}
		return l.compare(t)
	}
	got := order()
	wantVerdicts(t, got, map[dispatch.ItemID]dispatch.Verdict{ids["922"]: dispatch.VerdictMissing})
	if got.Asked() != 2 {
		t.Errorf("asked %d questions, want 2", got.Asked())
	}
	many := r.queueMany(t, 9)
	r.awaitAccepted(t, 2+len(many))
	r.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if operation == simulator.OpStatus {
			return simulator.Status(http.StatusServiceUnavailable)
		}
		return simulator.NoFault
	})
	before := r.calls(simulator.OpStatus)
	got = order()
	if got.Counts[dispatch.VerdictUnanswered] != 11 || len(got.Rows) > 0 || r.calls(simulator.OpStatus)-before != 3 {
		t.Errorf("got %+v after %d calls, want 11 unanswered after 3", got.Counts, r.calls(simulator.OpStatus)-before)
	}
}

// TestReconcileGoesOn: a comparison that a process left is continued by another, and only one account's at a time is made.
func TestReconcileGoesOn(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	id := l.send(t, "Vedtak [status 404]")
	l.awaitState(t, id, dispatch.StateAccepted)
	s := queue.In(l.store)
	order, err := s.Reconciliations.Order(t.Context(), l.account.ID, l.sample.Actor)
	if err != nil {
		t.Fatal(err)
	}
	var r dispatch.Reconciliation
	await.True(t, "the first ends", func() bool {
		r, err = s.Reconciliations.ByID(t.Context(), order)
		return err == nil && !r.DoneAt.IsZero()
	})
	// As a process that died left it: claimed, asked, not ended. The last statement makes it due: it may be continued at once.
	l.exec(t, `UPDATE reconciled_items SET finding = '' WHERE reconciliation_id = $1`, order)
	l.exec(t, `UPDATE reconciliations SET done_at = NULL, attempt = 1, lease_until = now() - interval '1 second' WHERE id = $1`, order)
	await.True(t, "it is continued", func() bool {
		r, err = s.Reconciliations.ByID(t.Context(), order)
		return err == nil && !r.DoneAt.IsZero()
	})
	wantVerdicts(t, r, map[dispatch.ItemID]dispatch.Verdict{id: dispatch.VerdictMissing})
}
