package delivery

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/upstream"
)

const (
	recoveriesAtOnce = 16
	// lookUpEvery is the interval of look-ups of an uncertain shipment.
	lookUpEvery = time.Minute
	// maxPosts is how many uncertain submissions a shipment may have before a person decides.
	maxPosts = 2
)

// recoverDue starts the look-ups of uncertain shipments, concurrently for each integration.
func (w *Worker) recoverDue(ctx context.Context) {
	due, err := queue.In(w.o.Store).Recoveries.Due(ctx)
	w.db.note(ctx, err)
	for _, in := range due {
		w.lookingUp.begin(in, func() { w.recoverAt(ctx, in) })
	}
}

// recoverAt looks up uncertain shipments at an integration, one after the other: the service may take two for one.
// Nothing is ever sent again before the service has said, after the recovery window, that it does not have it.
func (w *Worker) recoverAt(ctx context.Context, in dispatch.IntegrationID) {
	list, err := queue.In(w.o.Store).Recoveries.Claim(ctx, in, recoveriesAtOnce)
	w.db.note(ctx, err)
	for _, r := range list {
		if ctx.Err() != nil {
			return
		}
		w.db.note(ctx, queue.In(w.o.Store).Recoveries.LookedUp(ctx, r, w.recoverOne(ctx, r)))
	}
}

func (w *Worker) recoverOne(ctx context.Context, r queue.Recovery) error {
	client, err := w.o.Upstream.Client(ctx, r.Integration, r.Service)
	if err != nil || client.Shipments == nil {
		return queue.In(w.o.Store).Recoveries.Postpone(ctx, r, lookUpEvery)
	}
	id, p, err := w.find(ctx, client, r)
	if err != nil {
		w.o.Upstream.FallBackOfRead(ctx, client, err)
	}
	w.o.Log.Info("uncertain shipment looked up", "item", string(r.Item), "there", p == there, "several", p == several, "known", p != unknown, "window_over", r.WindowOver)
	switch {
	case p == there:
		now := time.Now()
		return queue.In(w.o.Store).Recoveries.Found(ctx, r, id, w.o.Plan.Next(now, now, time.Time{}))
	case p == absent && r.WindowOver && r.Reserved != "" && r.Posts < maxPosts:
		return queue.In(w.o.Store).Recoveries.SendOnceMore(ctx, r)
	case (p == absent || p == several) && r.WindowOver, r.Stale:
		return queue.In(w.o.Store).Recoveries.Postpone(ctx, r, 0) // a person decides
	}
	return queue.In(w.o.Store).Recoveries.Postpone(ctx, r, min(lookUpEvery, w.o.Window/4))
}

// find looks a shipment up by its reserved id, or else by its reference, and returns the service's id.
func (w *Worker) find(ctx context.Context, client upstream.Client, r queue.Recovery) (string, presence, error) {
	if r.Reserved == "" || !client.Kind.Row().Reserves {
		return w.lookUpByReference(ctx, client, r)
	}
	p, err := w.lookUp(ctx, client.Shipments, r.Reserved, r.Shipment)
	return r.Reserved, p, err
}

// lookUpByReference looks up a shipment that was sent without a reserved id: found means exactly one id, unknown to
// us, that can be ours. The error tells why the service could not be asked.
func (w *Worker) lookUpByReference(ctx context.Context, client upstream.Client, r queue.Recovery) (string, presence, error) {
	var matches []shipmentapi.Match
	for _, reference := range r.References {
		more, err := client.Shipments.ByExternalReference(ctx, r.ServiceID, reference)
		if err != nil && !clients.Missing(err) {
			return "", unknown, err
		}
		matches = append(matches, more...)
	}
	matches, err := w.strangers(ctx, matches)
	if err != nil {
		return "", unknown, err
	}
	var found []string
	for _, m := range matches {
		if client.Kind.Row().DatedMatches && m.At.IsZero() && m.SourceSystem == r.Shipment.SourceSystem {
			return "", several, nil // its timestamp cannot be parsed, so it may be this shipment or an earlier one
		}
		ours, err := w.canBeOurs(ctx, client, r, m)
		if err != nil {
			return "", unknown, err
		}
		if ours {
			found = append(found, m.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", absent, nil
	case 1:
		return found[0], there, nil
	}
	return "", several, nil
}

// strangers are the matches that none of our items has, each once. Ids are compared without letter case, which the
// service need not keep; a match that is no UUID is ignored.
func (w *Worker) strangers(ctx context.Context, matches []shipmentapi.Match) ([]shipmentapi.Match, error) {
	byID := map[string]shipmentapi.Match{}
	for _, m := range matches {
		if id, err := uuid.Parse(m.ID); err == nil {
			byID[id.String()] = m
		}
	}
	ids, err := w.o.Store.UnknownUpstream(ctx, slices.Collect(maps.Keys(byID)))
	var strange []shipmentapi.Match
	for _, id := range ids {
		strange = append(strange, byID[id])
	}
	return strange, err
}

// clockTolerance is how far the service's clock may be behind ours (docs/delivery.md, Look-up before resend).
const clockTolerance = 5 * time.Minute

// canBeOurs tells whether a match can be what we sent: by source system and time where a match tells
// them; else by our documents, since others may use the same reference, so that its status proves nothing.
func (w *Worker) canBeOurs(ctx context.Context, client upstream.Client, r queue.Recovery, m shipmentapi.Match) (bool, error) {
	if client.Kind.Row().DatedMatches {
		return m.SourceSystem == r.Shipment.SourceSystem && !m.At.Before(r.Since.Add(-clockTolerance)), nil
	}
	documents, err := client.Shipments.Documents(ctx, m.ID)
	if err != nil && !clients.Missing(err) {
		return false, err
	}
	return err == nil && sameDocuments(r.Shipment, documents), nil
}

// windows sets when an uncertain shipment is looked up, and from when a look-up that finds nothing is proof, counted
// from the last byte if that is known.
func (w *Worker) windows(c *queue.Claim, r dispatch.Result) dispatch.Result {
	if c.Lane.Channel != dispatch.KindShipment || !r.MayHaveArrived() {
		return r
	}
	r.Window = w.o.Window
	if !r.Sent.IsZero() {
		r.Window = max(w.o.Window-time.Since(r.Sent), 0)
	}
	r.LookUpAfter = min(5*time.Second, w.o.Window/4)
	return r
}
