package delivery

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const (
	recoveriesAtOnce = 16
	// lookUpEvery is how long to wait between look-ups of an uncertain shipment.
	lookUpEvery = time.Minute
	// maxPosts is how often a shipment may be sent with an unknown fate before a person decides.
	maxPosts = 2
)

// recoverDue looks up uncertain shipments. Nothing is ever sent again before the service has said, after the recovery
// window, that it does not have it.
func (w *Worker) recoverDue(ctx context.Context) {
	list, err := w.o.Store.ClaimRecoveries(ctx, recoveriesAtOnce)
	w.db.note(ctx, err)
	for _, r := range list {
		if ctx.Err() != nil {
			return
		}
		w.db.note(ctx, w.recoverOne(ctx, r))
	}
}

func (w *Worker) recoverOne(ctx context.Context, r store.Recovery) error {
	client, err := w.o.Services.Shipments(ctx, r.Integration, r.Service)
	if err != nil {
		return w.o.Store.Postpone(ctx, r, lookUpEvery)
	}
	id, p := r.Reserved, unknown
	if id != "" {
		p = w.lookUp(ctx, client.v1, id, r.Shipment)
	} else {
		id, p = w.lookUpByReference(ctx, client, r)
	}
	w.o.Log.Info("uncertain shipment looked up", "item", string(r.Item), "there", p == there, "known", p != unknown, "window_over", r.WindowOver)
	switch {
	case p == there:
		now := time.Now()
		return w.o.Store.Found(ctx, r, id, w.o.Plan.Next(now, now, time.Time{}))
	case p == absent && r.WindowOver && r.Reserved != "" && r.Posts < maxPosts:
		return w.o.Store.SendOnceMore(ctx, r)
	case p == absent && r.WindowOver, r.Stale:
		return w.o.Store.Postpone(ctx, r, 0) // a person decides
	}
	return w.o.Store.Postpone(ctx, r, min(lookUpEvery, w.o.Window/4))
}

// lookUpByReference finds a shipment that was sent without a reserved id: exactly one id unknown to us with our
// documents. Any status proves nothing here: others may use the same reference.
func (w *Worker) lookUpByReference(ctx context.Context, client shipmentClient, r store.Recovery) (string, presence) {
	ids, err := client.v1.ByExternalReference(ctx, r.Reference)
	if err != nil && !isMissing(err) {
		return "", unknown
	}
	ids, err = w.o.Store.UnknownUpstream(ctx, r.Integration, ids)
	if err != nil {
		return "", unknown
	}
	var found []string
	for _, id := range ids {
		documents, err := client.v1.Documents(ctx, id)
		switch {
		case err != nil && !isMissing(err):
			return "", unknown
		case sameDocuments(r.Shipment, documents):
			found = append(found, id)
		}
	}
	if len(found) == 1 {
		return found[0], there
	}
	return "", absent
}

// windows fills in when an uncertain shipment is looked up, counted from the last byte where that is known.
func (w *Worker) windows(r dispatch.Result, sent time.Time) dispatch.Result {
	if r.Outcome != dispatch.OutcomeUncertain {
		return r
	}
	r.Window = w.o.Window
	if !sent.IsZero() {
		r.Window = max(w.o.Window-time.Since(sent), 0)
	}
	r.LookUpAfter = min(5*time.Second, w.o.Window/4)
	return r
}
