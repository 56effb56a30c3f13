package delivery

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// keepJobs creates the items of sent jobs, in batches, and ends jobs that have nothing left. Items are handed over
// while others are still being created.
func (w *Worker) keepJobs(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := items.In(w.o.Store).Maker.Make(ctx, recipients.Merge)
		if !w.db.note(ctx, err) || n == 0 {
			break
		}
		w.Wake()
	}
	w.db.note(ctx, items.In(w.o.Store).Jobs.Finish(ctx))
}

// sendBatch hands over a batch of a fast job with one call.
func (w *Worker) sendBatch(ctx context.Context, c *queue.Claim) (*handover, error) {
	h := &handover{}
	if err := w.connect(ctx, c, h); err != nil {
		return h, err
	}
	phones := make([]dispatch.Phone, len(c.Batch))
	for i, p := range c.Batch {
		phones[i] = p.Phone
	}
	return h, h.client.SMS.SendBatch(ctx, c.Lane.ServiceID, phones, c.SMS.Text, c.SMS.HideInReport, h.ready(w, c))
}
