package delivery

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
)

var errLeaseLost = errors.New("lease lost")

// deliverDue finds lanes with due items and starts runners for them. The end of ctx stops claiming, that of calls
// cancels calls.
func (w *Worker) deliverDue(ctx, calls context.Context) {
	guard, err := queue.In(w.o.Store).Guards.Check(ctx, w.known.witness(w.id))
	if !w.db.note(ctx, err) {
		return
	}
	if guard.Promoted {
		w.o.Log.Warn("a standby was promoted and lacks nothing that was begun: delivery goes on")
	}
	if guard.Restored {
		w.o.Log.Error("this is not the database that last delivered: delivery is paused until an administrator decides", "why", guard.Why)
	}
	if guard.Paused || guard.Waiting {
		return
	}
	lanes, err := queue.In(w.o.Store).Claims.Lanes(ctx)
	if !w.db.note(ctx, err) || len(lanes) == 0 {
		return
	}
	w.gates.share(lanes[0].Workers)
	w.gates.open(lanes, func(g *gate) { w.run(ctx, calls, g) })
}

// run delivers items one after the other until none is due. The end of ctx stops claiming, that of calls cancels
// calls.
func (w *Worker) run(ctx, calls context.Context, g *gate) {
	for {
		lane, ok := g.take(ctx)
		if !ok {
			return
		}
		if claim := w.claim(ctx, calls, g, lane); claim != nil {
			w.deliver(calls, claim)
		}
	}
}

// claim claims the next item of a lane and begins its attempt; nil when there is none.
func (w *Worker) claim(ctx, calls context.Context, g *gate, lane queue.Lane) *queue.Claim {
	// Not under ctx: cancelling the statement could leave an item claimed that nobody delivers, which becomes
	// uncertain.
	claim, err := w.claims.next(calls, lane)
	if !w.db.note(ctx, err) || claim == nil {
		g.empty(lane)
		return nil
	}
	w.known.begun(claim.Attempt)
	if lane.Refused {
		g.empty(lane) // one probe, then the refusals are read again
	}
	return claim
}

// deliver hands one claimed item over and has the result written.
func (w *Worker) deliver(ctx context.Context, c *queue.Claim) {
	start := time.Now()
	beat, stop := context.WithCancel(ctx)
	go w.heartbeat(beat, c)
	result := w.call(ctx, c)
	stop()
	w.o.Delivered(c.Lane.Channel, c.Lane.Integration, result)
	if result.Outcome == dispatch.OutcomeAccepted && c.Lane.Channel == dispatch.KindSMS && c.Batch == nil {
		w.commits.answers <- answer{queue.Ended{Claim: c, Result: result}, start}
		return
	}
	if ended := (queue.Ended{Claim: c, Result: result}); w.record(ctx, ended) {
		w.tell(ended, start)
	}
}

// tell logs an attempt after its result is written: until then a crash may lose it.
func (w *Worker) tell(e queue.Ended, start time.Time) {
	c, result := e.Claim, e.Result
	w.o.Log.Info("attempt", "item", string(c.Item), "job", string(c.Lane.Job), "items", max(len(c.Batch), 1), "attempt", string(c.Attempt), "account", string(c.Lane.Account),
		"integration", string(c.Lane.Integration), "outcome", string(result.Outcome), "reason", result.Reason.Key,
		"http_status", result.Reason.HTTPStatus, "error_id", result.Reason.ErrorID, "duration", time.Since(start))
}

// heartbeat renews the lease while the call runs.
func (w *Worker) heartbeat(ctx context.Context, c *queue.Claim) {
	tick := time.NewTicker(w.o.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// If the lease is lost, that is noticed before the last byte is sent.
			_, _ = queue.In(w.o.Store).Claims.Extend(ctx, c, w.o.Lease)
		}
	}
}

func (w *Worker) call(ctx context.Context, c *queue.Claim) dispatch.Result {
	send := w.sendSMS
	switch {
	case c.Lane.Channel == dispatch.KindShipment:
		send = w.sendShipment
	case c.Batch != nil:
		send = w.sendBatch
	}
	h, err := send(ctx, c)
	result := w.result(ctx, c, h, err)
	_, result.Sent = h.known()
	return w.windows(c, result)
}

// sendSMS hands over a claimed SMS.
func (w *Worker) sendSMS(ctx context.Context, c *queue.Claim) (*handover, error) {
	h := &handover{}
	if err := w.connect(ctx, c, h); err != nil {
		return h, err
	}
	var err error
	h.id, err = h.client.SMS.Send(ctx, c.Lane.ServiceID, c.SMS, h.ready(w, c))
	return h, err
}

// connect gets the client for a claim, and probes the service if a refusal requires it.
func (w *Worker) connect(ctx context.Context, c *queue.Claim, h *handover) error {
	client, err := w.o.Upstream.Client(ctx, c.Lane.Integration, c.Lane.Service)
	usable := client.SMS != nil
	if c.Lane.Channel == dispatch.KindShipment {
		usable = client.Shipments != nil
	}
	if err != nil || !usable {
		return unreadable()
	}
	h.client = client
	return w.probe(ctx, c, client)
}

// unreadable is the error of an integration whose settings cannot be read; nothing was sent.
func unreadable() error {
	return &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.integration_unreadable"}
}

// result turns the client's answer into an attempt's result.
func (w *Worker) result(ctx context.Context, c *queue.Claim, h *handover, err error) dispatch.Result {
	now := time.Now()
	if err == nil && c.Batch != nil {
		return dispatch.Result{Outcome: dispatch.OutcomeAccepted} // without ids no status can be read
	}
	if err == nil {
		return dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: h.id, NextCheck: w.o.Plan.Next(now, now, time.Time{})}
	}
	e := h.client.Confirm(ctx, c.Lane.ServiceID, clients.AsError(err))
	r := dispatch.Result{Outcome: e.Outcome, Scope: e.Scope, Reason: e.Reason(), Answer: e.Answer()}
	r.Reason.At = now
	if c.Lane.Channel == dispatch.KindShipment {
		r.Fault = faultOf(e)
	}
	if w.o.Upstream.FallBack(ctx, h.client, e) {
		r.Scope = ""
		if e.Outcome == dispatch.OutcomeRefused { // nothing was sent; the next attempt uses the other credentials at once
			r.Outcome, r.Reason.Key = dispatch.OutcomeUnavailable, "reason.credentials_refused"
		}
		return r
	}
	if e.Outcome == dispatch.OutcomeUnavailable {
		r.Wait = max(dispatch.RetryWait(c.Unavailable+1, rand.Float64()), e.RetryAfter)
	}
	if e.RetryAfter > 0 {
		w.gates.pause(c.Lane.Integration, e.RetryAfter)
	}
	if lost, _ := h.known(); lost && e.HTTPStatus == 0 {
		r.Reason.Key = "reason.lease_lost"
	}
	if e.Outcome == dispatch.OutcomeUncertain && ctx.Err() != nil {
		r.Died, r.Reason.Key = true, "reason.died"
	}
	return r
}

// record writes the result, retrying for as long as the database is away: an answer is proof and must not be lost.
// Only our own end leaves it unwritten; the item is then uncertain.
func (w *Worker) record(ctx context.Context, e queue.Ended) bool {
	wait := 50 * time.Millisecond
	for {
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		err := queue.In(w.o.Store).Outcomes.Finish(try, e)
		cancel()
		if w.db.note(ctx, err) || errors.Is(err, store.ErrNotFound) {
			return true
		}
		select {
		case <-ctx.Done():
			w.o.Log.Error("result could not be written before the stop", "attempt", string(e.Claim.Attempt), "outcome", string(e.Result.Outcome))
			return false
		case <-time.After(wait):
			wait = min(2*wait, 2*time.Second)
		}
	}
}
