package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

const (
	checksAtOnce = 8
	checkBatch   = 64
	// retryCheck is the longest wait after a failed read.
	retryCheck = 5 * time.Minute
)

// refreshDue starts the status reads that are due, concurrently for each integration: a slow service delays only its
// own.
func (w *Worker) refreshDue(ctx context.Context) {
	due, err := queue.In(w.o.Store).Checks.Due(ctx)
	if !w.db.note(ctx, err) {
		return
	}
	for in, kind := range due {
		read := w.refreshShipments
		if kind == dispatch.IntegrationSMS {
			read = w.refreshSMS
		}
		w.reading.begin(in, func() { read(ctx, in) })
	}
}

// refreshSMS reads the due statuses of an integration's SMS, until none is left.
func (w *Worker) refreshSMS(ctx context.Context, in dispatch.IntegrationID) {
	for ctx.Err() == nil {
		checks, err := queue.In(w.o.Store).Checks.Claim(ctx, in, checkBatch)
		if !w.db.note(ctx, err) || len(checks) == 0 {
			return
		}
		w.readAll(ctx, checks)
	}
}

func (w *Worker) readAll(ctx context.Context, checks []queue.Check) {
	todo := make(chan queue.Check)
	var readers sync.WaitGroup
	for range min(checksAtOnce, len(checks)) {
		readers.Go(func() {
			for c := range todo {
				w.read(ctx, c)
			}
		})
	}
	for _, c := range checks {
		todo <- c
	}
	close(todo)
	readers.Wait()
}

// read reads one status within the integration's rate. A failed read changes no state.
func (w *Worker) read(ctx context.Context, c queue.Check) {
	if w.gates.limiter(c.Integration, c.RatePerSec).Wait(ctx) != nil {
		return // shutting down; the check is due again when its lease ends
	}
	status, err := w.readStatus(ctx, c)
	if ctx.Err() != nil {
		return
	}
	now := time.Now()
	if err == nil {
		w.db.note(ctx, queue.In(w.o.Store).Checks.SaveStatus(ctx, c, status, now, w.o.Plan))
		return
	}
	e := clients.AsError(err)
	missing := e.Key == "reason.not_known" // not any 404: a token endpoint may answer that too
	w.o.Log.Info("status not read", "item", string(c.Item), "integration", string(c.Integration), "reason", e.Key,
		"http_status", e.HTTPStatus, "error_id", e.Reason().ErrorID)
	w.o.Unread(c.Kind, c.Integration, e.Key)
	w.db.note(ctx, queue.In(w.o.Store).Checks.SaveError(ctx, c, e.Reason(), e.Answer(), missing, w.nextAfterError(now, c, missing)))
}

func (w *Worker) readStatus(ctx context.Context, c queue.Check) (dispatch.Status, error) {
	client, err := w.o.Upstream.Client(ctx, c.Integration, c.Service)
	if err != nil || client.SMS == nil {
		return "", unreadable()
	}
	status, err := client.SMS.Status(ctx, c.ServiceID, c.UpstreamID)
	if err != nil {
		w.o.Upstream.FallBackOfRead(ctx, client, err)
	}
	return status, err
}

// missingMost is how many reads in a row must be answered 404 before that is believed.
const missingMost = 3

// nextAfterError returns the planned read, or an earlier one, unless the service has answered 404 often enough.
func (w *Worker) nextAfterError(now time.Time, c queue.Check, missing bool) time.Time {
	settled := time.Time{}
	if c.SettledAt != nil {
		settled = *c.SettledAt
	}
	next := w.o.Plan.Signing(c.AcceptedAt, c.SignBy).Next(now, c.AcceptedAt, settled)
	if retry := now.Add(retryCheck); next.After(retry) && (!missing || c.Missing+1 < missingMost) {
		return retry
	}
	return next
}
