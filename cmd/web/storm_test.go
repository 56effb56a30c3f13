package main_test

import (
	"context"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/clients/simulator/shipmentv3"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// number is a random whole number below n.
func (s *storm) number(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rand.IntN(n)
}

// pause waits a random number of milliseconds; false when ctx ends.
func (s *storm) pause(ctx context.Context, from, to int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(from+s.number(to-from)) * time.Millisecond):
		return true
	}
}

// fault chooses the fault of a call: two thirds of the calls go well, half of the shipments, some of them late.
func (s *storm) fault(operation, _ string) simulator.Fault {
	faults := []simulator.Fault{
		simulator.Status(503), simulator.Status(503), simulator.Status(429), simulator.Status(500), simulator.Status(401),
		simulator.LostBefore, simulator.LostAfter, simulator.HalfAnswer, simulator.Slow, simulator.Slow,
	}
	switch operation {
	case simulator.OpSend, simulator.OpBatch:
		faults = append(faults, simulator.Status(400))
	case shipmentv1.OpSendShipment:
		faults = append(faults, simulator.Status(400), simulator.LostBefore, simulator.LostAfter, simulator.LostAfter, simulator.CutInBody, simulator.EarlyError,
			simulator.Duplicate, simulator.Repeated)
	case shipmentv2.OpSend, shipmentv3.OpSendPerson:
		faults = append(faults, simulator.Status(400), simulator.LostBefore, simulator.LostAfter, simulator.LostAfter)
	case shipmentv2.OpStatuses, shipmentv2.OpReferences, shipmentv2.OpReferencesMetadata, shipmentv3.OpStatuses:
	case shipmentv1.OpStartShipment, shipmentv1.OpShipmentStatus, shipmentv1.OpShipmentStatuses, shipmentv1.OpDocumentMetadata:
	default:
		return simulator.NoFault
	}
	of, late := 3, 500
	if operation == shipmentv1.OpSendShipment || operation == shipmentv2.OpSend || operation == shipmentv3.OpSendPerson {
		of, late = 2, 200
	}
	n := s.number(of * len(faults))
	if n < len(faults) {
		return faults[n]
	}
	if n%3 == 0 {
		time.Sleep(time.Duration(s.number(late)) * time.Millisecond) // the service is slow
	}
	return simulator.NoFault
}

// refuseNowAndThen makes the token endpoint refuse, fail or revoke tokens for a moment.
func (s *storm) refuseNowAndThen(ctx context.Context) {
	for s.pause(ctx, 500, 2000) {
		s.sim.RefuseTokens([]int{401, 503, simulator.CutConnection, 0}[s.number(4)])
		s.sim.RevokeTokens()
		s.pause(ctx, 50, 300)
		s.sim.RefuseTokens(0)
	}
}

// keepHelping plays the administrator, who opens stopped integrations and clears refusals. It also moves due times forward, of
// retries and of look-ups by a program that died.
func (s *storm) keepHelping(ctx context.Context) {
	for s.pause(ctx, 200, 400) {
		s.help()
	}
}

func (s *storm) help() {
	ctx, by := s.t.Context(), s.senders[0].Actor
	var integrations []dispatch.Integration
	err := s.surely(func() (err error) {
		integrations, err = registry.In(s.store).Integrations.List(ctx)
		return err
	})
	if err != nil {
		s.t.Errorf("look at the integrations: %v", err)
	}
	for _, in := range integrations {
		// ErrChanged: it was cleared meanwhile.
		if !in.StoppedAt.IsZero() {
			_ = queue.In(s.store).Operations.OpenIntegration(ctx, in.ID, by)
		}
		if !in.RefusedAt.IsZero() {
			_, _ = queue.In(s.store).Operations.ClearRefusal(ctx, in.ID, "", by)
		}
	}
	for _, clock := range []string{ // never waiting for a row that a program has locked, which may wait for another of these
		`UPDATE items SET due_at = now() WHERE id IN (SELECT id FROM items WHERE state = 'queued' AND due_at > now() FOR UPDATE SKIP LOCKED)`,
		// A look-up is taken over two minutes after it began; here after a second. None is planned that far ahead.
		`UPDATE items SET recover_at = now() WHERE id IN (SELECT id FROM items WHERE state = 'uncertain'
			AND recover_at BETWEEN now() + interval '10 seconds' AND now() + interval '119 seconds' FOR UPDATE SKIP LOCKED)`,
	} {
		err := s.surely(func() error {
			_, err := s.db.ExecContext(ctx, clock)
			return err
		})
		if err != nil {
			s.t.Errorf("move the clock: %v", err)
		}
	}
}

// left counts jobs whose items are not made, and unsettled items.
func (s *storm) left() (n int) {
	s.t.Helper()
	err := s.db.QueryRowContext(s.t.Context(), `
		SELECT (SELECT count(*) FROM jobs WHERE made_at IS NULL) +
		       (SELECT count(*) FROM items WHERE state IN ('queued', 'sending') OR state = 'uncertain' AND recover_at IS NOT NULL)`).Scan(&n)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// calm lets the remaining programs finish queued items and look-ups, and stops them.
func (s *storm) calm(webs []*life) {
	s.t.Helper()
	for n := s.left(); n > 0; {
		before := n
		eventually(s.t, "less is to be made, queued, being sent or to be looked up", func() bool {
			s.help()
			n = s.left()
			return n < before
		})
	}
	for _, w := range webs {
		// A program that has just started cannot stop in order yet.
		eventually(s.t, "web serves", w.serves)
		w.stop(s.t)
	}
	if s.left() > 0 { // a call that lasted longer than its lease has ended, and nothing was sent
		s.calm([]*life{s.start()})
	}
}
