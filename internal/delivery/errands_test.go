package delivery_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// silence never answers requests whose paths have a common part.
type silence struct {
	next http.Handler
	of   atomic.Pointer[string]
}

func (s *silence) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if of := s.of.Load(); of != nil && r.Method == http.MethodGet && strings.Contains(r.URL.Path, *of) {
		<-r.Context().Done()
		return
	}
	s.next.ServeHTTP(w, r)
}

// TestASilentServiceHoldsUpNoOther: the integrations' status reads and look-ups are independent.
func TestASilentServiceHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	t.Run("of SMS", func(t *testing.T) {
		t.Parallel()
		s := &silence{}
		r := newRig(t, simulator.Options{Pace: time.Hour}, func(next http.Handler) http.Handler { s.next = next; return s })
		other := r.other(t, false)
		r.start(t)
		r.queueMany(t, 20)
		r.awaitAccepted(t, 20)
		ids := other.sent(t, "020")
		s.of.Store(&r.Account.SMSAccountID)
		r.exec(t, `UPDATE items SET next_check_at = now() - interval '1 minute', checked_at = NULL WHERE account_id = $1`, r.Account.ID)
		other.readNow(t)
		if it := other.Item(t, r.s, ids["020"]); it.CheckedAt.IsZero() {
			t.Error("the status at the service that answers was not read")
		}
	})
	t.Run("of shipments", func(t *testing.T) {
		t.Parallel()
		l := shipmentsTo(t, knowing(simulator.Options{}))
		s, v1 := &silence{next: l.sends.next}, "/forsendelse/v1/"
		l.sends.next = s
		l.sendOver(t, l.v1(t))
		l.work(t)
		first := l.send(t, "Vedtak")
		l.awaitState(t, first, dispatch.StateAccepted)
		s.of.Store(&v1)
		lost := l.send(t, "Vedtak [svar tapt]")
		l.awaitState(t, lost, dispatch.StateUncertain)

		l.sendOver(t, l.v2(t))
		second, found := l.send(t, "Melding"), l.send(t, "Melding [svar tapt]")
		l.await(t, second, "not read", func(it dispatch.ShipmentItem) bool { return it.Status != "" })
		l.awaitState(t, found, dispatch.StateAccepted)
		if it := l.item(t, lost); it.State != dispatch.StateUncertain {
			t.Errorf("the shipment that cannot be looked up is %s", it.State)
		}
	})
}
