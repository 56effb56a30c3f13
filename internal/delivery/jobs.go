package delivery

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// keepJobs makes the items of jobs that were sent, some at a time, and ends jobs that have nothing left. What is made is
// handed over while the rest is being made.
func (w *Worker) keepJobs(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := items.In(w.o.Store).MakeItems(ctx, recipients.Merge)
		if !w.db.note(ctx, err) || n == 0 {
			break
		}
		w.Wake()
	}
	w.db.note(ctx, items.In(w.o.Store).FinishJobs(ctx))
}

// sendBatch hands many claimed items of a fast job over with one call.
func (w *Worker) sendBatch(ctx context.Context, c *queue.Claim) (*handover, error) {
	h := &handover{}
	var err error
	if h.client, err = w.o.Upstream.Client(ctx, c.Lane.Integration, c.Lane.Service); err != nil || h.client.SMS == nil {
		return h, unreadable()
	}
	if err := w.probe(ctx, c, h.client); err != nil {
		return h, err
	}
	phones := make([]dispatch.Phone, len(c.Batch))
	for i, p := range c.Batch {
		phones[i] = p.Phone
	}
	return h, h.client.SMS.SendBatch(ctx, c.Lane.ServiceID, phones, c.SMS.Text, c.SMS.HideInReport, h.ready(w, c))
}
