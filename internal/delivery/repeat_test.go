package delivery_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// everyWire are the ways to send shipments, each with one worker.
var everyWire = map[string]func(t *testing.T) *shipments{
	"V2":                      func(t *testing.T) *shipments { return newV2Shipments(t, simulator.Options{}) },
	"V1 under reserved ids":   func(t *testing.T) *shipments { return newShipments(t, simulator.Options{}) },
	"V1 without reserved ids": func(t *testing.T) *shipments { return newShipments(t, simulator.Options{}, unreserved) },
}

// A service, or an intermediary, may answer "busy" although it has the shipment: a shipment that was sent whole is
// sent again only after a look-up.
func TestShipmentIsLookedForBeforeItIsRepeated(t *testing.T) {
	t.Parallel()
	for name, make := range everyWire {
		t.Run("taken and answered 503 over "+name, func(t *testing.T) {
			t.Parallel()
			l := make(t)
			l.sends.busy.Store(1)
			id := l.send(t, "Vedtak")
			it := l.awaitAccepted(t, id)
			if n := l.booked("Vedtak"); n != 1 || it.UpstreamID == "" {
				t.Errorf("booked %d times, known as %q", n, it.UpstreamID)
			}
			l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
		})
		t.Run("not taken and answered 503 over "+name, func(t *testing.T) {
			t.Parallel()
			l := make(t)
			l.busyOnce()
			l.awaitAccepted(t, l.send(t, "Vedtak"))
			l.wantOnce(t, "Vedtak")
		})
		t.Run("a person sends again what has come through after all, over "+name, func(t *testing.T) {
			t.Parallel()
			l := make(t)
			id := l.send(t, "Vedtak [svar tapt]", filedAs(uuid.NewString()))
			l.exec(t, `UPDATE items SET recover_at = NULL WHERE id = $1`, id)
			l.await(t, id, "not uncertain", func(it dispatch.ShipmentItem) bool {
				l.exec(t, `UPDATE items SET recover_at = NULL WHERE id = $1`, id) // as after a day without an answer
				return it.State == dispatch.StateUncertain || it.State == dispatch.StateAccepted
			})
			if _, err := items.In(l.store).Decisions.Resolve(t.Context(), l.account, []dispatch.ItemID{id}, dispatch.DecisionSendAgain, l.sample.Actor); err != nil {
				t.Fatal(err)
			}
			l.awaitAccepted(t, id)
			l.wantOnce(t, "Vedtak [svar tapt]")
		})
	}
}

// sendBusy sends a shipment that the service accepts and answers with "busy".
func (l *shipments) sendBusy(t *testing.T, title string) dispatch.ItemID {
	t.Helper()
	l.sends.busy.Store(1)
	id := l.send(t, title)
	l.await(t, id, "not tried", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateUncertain || it.State == dispatch.StateAccepted
	})
	return id
}

// wantOnce expects that the service has accepted one shipment of the title.
func (l *shipments) wantOnce(t *testing.T, title string) {
	t.Helper()
	if n := l.booked(title); n != 1 {
		t.Errorf("%s: booked %d times", title, n)
	}
}

// awaitAccepted waits until a shipment is accepted, skipping waits between attempts.
func (l *shipments) awaitAccepted(t *testing.T, id dispatch.ItemID) dispatch.ShipmentItem {
	t.Helper()
	return l.await(t, id, "not accepted", func(it dispatch.ShipmentItem) bool {
		l.exec(t, `UPDATE items SET due_at = now() WHERE id = $1 AND state = 'queued' AND unavailable_count > 0`, id)
		return it.State == dispatch.StateAccepted
	})
}

// busyOnce makes the service refuse the next submission of any shipment as busy.
func (l *shipments) busyOnce() {
	met := false
	l.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if strings.Contains(strings.ToLower(operation), "send") && !met {
			met = true
			return simulator.Status(http.StatusServiceUnavailable)
		}
		return simulator.NoFault
	})
}

// A shipment that the service itself refuses as busy waits for its next attempt, not for the recovery window.
func TestBusyShipmentDoesNotWaitForTheWindow(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, simulator.Options{})
	l.sendOver(t, l.v1(t))
	l.busyOnce()
	id := l.send(t, "Vedtak")
	l.work(t, func(o *delivery.Options) { o.Window = 24 * time.Hour })
	l.await(t, id, "not tried", func(it dispatch.ShipmentItem) bool {
		return it.Reason.Key == "reason.busy" || it.State == dispatch.StateAccepted
	})
	if wait := ask[float64](t, l, `SELECT extract(epoch FROM due_at - now()) FROM items WHERE id = $1`, id); wait > 60 {
		t.Errorf("it goes again in %f seconds", wait)
	}
	l.awaitAccepted(t, id)
	l.wantOnce(t, "Vedtak")
}

// A reserved id that the service has forgotten blocks only its own shipment, which gets another id.
func TestReservedIDThatIsUnknown(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, simulator.Options{ReservedUnknown: true})
	l.sendOver(t, l.v1(t))
	id := l.send(t, "Vedtak")
	l.exec(t, `UPDATE items SET reserved_id = gen_random_uuid(), pinned_integration_id = $2 WHERE id = $1`, id, l.account.ShipmentIntegration)
	l.work(t)
	l.awaitAccepted(t, l.send(t, "Vedtak to"))
	l.awaitAccepted(t, id)
	if refused, accounts := l.refused(t); refused || accounts > 0 {
		t.Errorf("the integration is refused: %t, and %d accounts", refused, accounts)
	}
}

// A shipment that may have arrived is looked up at the integration that sent it, even if its account uses another one
// now.
func TestShipmentThatMayHaveArrivedStays(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	id := l.sendBusy(t, "Vedtak")
	l.sendOver(t, l.v1(t))
	l.awaitAccepted(t, id)
	l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
	l.wantOnce(t, "Vedtak")
}

// Shipments sent after a backup are not in it: resending makes no duplicate of one that can be found.
func TestShipmentThatABackupDoesNotKnow(t *testing.T) {
	t.Parallel()
	var behind atomic.Int64
	l := newV2Shipments(t, simulator.Options{Now: func() time.Time { return time.Now().Add(-time.Duration(behind.Load())) }})
	behind.Store(int64(time.Hour)) // it was an hour ago
	id := l.send(t, "Vedtak")
	l.await(t, id, "not accepted", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
	behind.Store(0)
	l.exec(t, `DELETE FROM attempts WHERE item_id = $1`, id)
	l.exec(t, `UPDATE items SET state = 'queued', upstream_id = NULL, integration_id = NULL, accepted_at = NULL, next_check_at = NULL,
		created_at = now() - interval '2 hours', due_at = now() + interval '1 hour' WHERE id = $1`, id)
	if err := queue.In(l.store).Guards.MarkRestored(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := items.In(l.store).Decisions.Resolve(t.Context(), l.account, []dispatch.ItemID{id}, dispatch.DecisionSendAgain, l.sample.Actor); err != nil {
		t.Fatal(err)
	}
	if err := queue.In(l.store).Operations.ResumeDelivery(t.Context(), l.sample.Actor); err != nil {
		t.Fatal(err)
	}
	l.awaitAccepted(t, id)
	l.wantOnce(t, "Vedtak")
}

// Credentials that may send and not read block only the shipment that must be looked up.
func TestLookUpThatIsForbidden(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	l.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if operation == shipmentv2.OpReferencesMetadata {
			return simulator.Status(http.StatusForbidden)
		}
		return simulator.NoFault
	})
	id := l.sendBusy(t, "Vedtak")
	if n, err := items.In(l.store).Decisions.Resolve(t.Context(), l.account, []dispatch.ItemID{id}, dispatch.DecisionSendAgain, l.sample.Actor); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	l.await(t, id, "not looked for", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateQueued && it.Reason.Key == "reason.forbidden"
	})
	l.await(t, l.send(t, "Vedtak to"), "not accepted", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
	l.sim.SetChaos(nil)
	l.awaitAccepted(t, id)
	l.wantOnce(t, "Vedtak")
}

// A shipment is asked for under the account id with which it was sent, whatever the account's id is now.
func TestAccountIsGivenAnotherID(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	read := l.send(t, "Vedtak")
	l.await(t, read, "not accepted", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
	lost := l.send(t, "Vedtak [svar tapt]")
	l.await(t, lost, "not uncertain", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateUncertain || it.State == dispatch.StateAccepted
	})
	busy := l.sendBusy(t, "Vedtak som tjenesten har")
	l.account.ShipmentAccountID = uuid.NewString()
	l.sendOver(t, l.account.ShipmentIntegration)
	l.awaitAccepted(t, busy)
	for id, title := range map[dispatch.ItemID]string{read: "Vedtak", lost: "Vedtak [svar tapt]", busy: "Vedtak som tjenesten har"} {
		l.await(t, id, title+" is never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
		l.wantOnce(t, title)
	}
}

// An id that the service will not answer for does not block the look-ups of others.
func TestStatusesOfWhatIsAskedInVain(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, simulator.Options{})
	l.sendOver(t, l.v1(t))
	var bad atomicString
	l.sends.next = refusing(l.sends.next, &bad)
	l.work(t)
	one, two := l.send(t, "Vedtak"), l.send(t, "Vedtak to")
	it := l.await(t, one, "not accepted", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
	bad.Store(it.UpstreamID)
	l.await(t, two, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
	l.await(t, one, "not known to be missing", func(it dispatch.ShipmentItem) bool {
		l.exec(t, `UPDATE items SET next_check_at = now() WHERE id = $1 AND next_check_at > now()`, one)
		return it.Missing >= 3
	})
}

// refusing answers 404 to every request that contains an id, as the service itself does.
func refusing(next http.Handler, bad *atomicString) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := bad.Load()
		if id == "" || !strings.HasSuffix(r.URL.Path, "/statuser") {
			next.ServeHTTP(w, r)
			return
		}
		body := readAll(r)
		if strings.Contains(strings.ToLower(body), strings.ToLower(id)) {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(map[string]any{"status": 404, "errorId": uuid.NewString(), "message": "Fant ikke forsendelsen"})
			return
		}
		r.Body = textBody(body)
		next.ServeHTTP(w, r)
	})
}

// After Retry-After, no other request goes to the service meanwhile.
func TestRetryAfterHoldsTheIntegration(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Status(http.StatusTooManyRequests) }) // Retry-After: 2
	r.queueMany(t, 40)
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 2 })
	w := r.start(t)
	await.True(t, "the first are answered", func() bool { return r.calls(simulator.OpSend) > 0 })
	r.looked(t, 1)
	if n := r.calls(simulator.OpSend); n > 2 {
		t.Errorf("got %d calls, want those that were under way", n)
	}
	w.stop()
}

// atomicString is a string shared by two goroutines.
type atomicString struct{ v atomic.Value }

func (s *atomicString) Load() string      { text, _ := s.v.Load().(string); return text }
func (s *atomicString) Store(text string) { s.v.Store(text) }

func readAll(r *http.Request) string {
	b, _ := io.ReadAll(r.Body) // what does not come whole holds no id
	return string(b)
}

func textBody(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }
