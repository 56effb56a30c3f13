package delivery

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/upstream"
)

// refreshShipments reads the due statuses of an integration's shipments, many with one call, until none is left.
func (w *Worker) refreshShipments(ctx context.Context, in dispatch.IntegrationID) {
	for ctx.Err() == nil {
		checks, err := queue.In(w.o.Store).Checks.ClaimShipments(ctx, in, shipmentapi.StatusesMax)
		if !w.db.note(ctx, err) || len(checks) == 0 {
			return
		}
		w.readShipments(ctx, checks)
	}
}

// readShipments reads the statuses of shipments of one integration. A failed read changes no state.
func (w *Worker) readShipments(ctx context.Context, checks []queue.ShipmentCheck) {
	first := checks[0]
	client, err := w.o.Upstream.Client(ctx, first.Integration, first.Service)
	if err != nil || client.Shipments == nil {
		w.checksFailed(ctx, checks, unreadable())
		return
	}
	of := map[string][]queue.ShipmentCheck{} // by id at the service: an account's may have changed
	for _, c := range checks {
		of[c.ServiceID] = append(of[c.ServiceID], c)
	}
	for _, id := range slices.Sorted(maps.Keys(of)) {
		w.readStatuses(ctx, client, of[id])
	}
}

// readStatuses reads the statuses of shipments with one call. If the service rejects the call, one of the shipments
// may be the cause: then it bisects.
func (w *Worker) readStatuses(ctx context.Context, client upstream.Client, checks []queue.ShipmentCheck) {
	first := checks[0]
	if w.gates.limiter(first.Integration, first.RatePerSec).Wait(ctx) != nil {
		return // shutting down; the checks are due again when their lease ends
	}
	statuses, err := client.Shipments.Statuses(ctx, first.ServiceID, ids(checks))
	switch {
	case ctx.Err() != nil:
	case err != nil && len(checks) > 1 && refusesWhatIsAsked(err):
		w.readStatuses(ctx, client, checks[:len(checks)/2])
		w.readStatuses(ctx, client, checks[len(checks)/2:])
	case err != nil:
		w.o.Upstream.FallBackOfRead(ctx, client, err)
		w.checksFailed(ctx, checks, err)
	default:
		w.readEach(ctx, client, checks, statuses)
	}
}

// refusesWhatIsAsked tells whether the service itself, not a proxy, says that it cannot answer the request.
func refusesWhatIsAsked(err error) bool {
	e := clients.AsError(err)
	return e.Own && (e.Outcome == dispatch.OutcomeRejected || e.HTTPStatus == http.StatusNotFound)
}

func (w *Worker) checksFailed(ctx context.Context, checks []queue.ShipmentCheck, err error) {
	e := clients.AsError(err)
	missing := len(checks) == 1 && e.HTTPStatus == http.StatusNotFound && refusesWhatIsAsked(err)
	if missing {
		e.Key = "reason.not_known"
	}
	for _, c := range checks {
		w.checkFailed(ctx, c.Check, e, missing)
	}
}

func (w *Worker) readEach(ctx context.Context, client upstream.Client, checks []queue.ShipmentCheck, statuses map[string]shipmentapi.StatusReport) {
	for _, c := range checks {
		if report, known := statuses[c.UpstreamID]; known {
			w.readOne(ctx, client.Shipments, c, report)
		} else {
			w.checkFailed(ctx, c.Check, &clients.Error{Key: "reason.not_known", HTTPStatus: http.StatusNotFound}, true)
		}
	}
}

func ids(checks []queue.ShipmentCheck) []string {
	list := make([]string, len(checks))
	for i, c := range checks {
		list[i] = c.UpstreamID
	}
	return list
}

func (w *Worker) checkFailed(ctx context.Context, c queue.Check, e *clients.Error, missing bool) {
	w.o.Log.Info("status not read", "item", string(c.Item), "integration", string(c.Integration), "reason", e.Key,
		"http_status", e.HTTPStatus, "error_id", e.Reason().ErrorID)
	w.o.Unread(dispatch.KindShipment, c.Integration, e.Key)
	w.db.note(ctx, queue.In(w.o.Store).Checks.SaveError(ctx, c, e.Reason(), e.Answer(), missing, w.nextAfterError(time.Now(), c, missing)))
}

// readOne saves a status, and reads the histories if they may have changed.
func (w *Worker) readOne(ctx context.Context, client shipmentapi.Client, c queue.ShipmentCheck, report shipmentapi.StatusReport) {
	status := report.Status
	c.Kind, c.Open = dispatch.KindShipment, c.Signing
	if c.Signing {
		c.Open = !w.readSigning(ctx, client, c)
	}
	if c.Unread || c.Looked || status != c.Status {
		w.readHistory(ctx, client, c)
		w.readDocuments(ctx, client, c)
	}
	if !report.ChangedAt.IsZero() {
		w.db.note(ctx, queue.In(w.o.Store).Checks.SaveStatusTime(ctx, c.Check, report.ChangedAt))
	}
	w.db.note(ctx, queue.In(w.o.Store).Checks.SaveStatus(ctx, c.Check, status, time.Now(), w.o.Plan))
}

func (w *Worker) readHistory(ctx context.Context, client shipmentapi.Client, c queue.ShipmentCheck) {
	events, err := client.History(ctx, c.UpstreamID)
	list := make([]dispatch.ServiceEvent, len(events))
	for i, e := range events {
		list[i] = dispatch.ServiceEvent{At: e.At, Said: dispatch.MaskNationalIDs(e.Said), Text: dispatch.MaskNationalIDs(e.Text)}
	}
	w.saveReport(ctx, c, dispatch.SourceHistory, newestFirst(list), err)
}

// readSigning saves the signing history and tells whether the signing has ended.
func (w *Worker) readSigning(ctx context.Context, client shipmentapi.Client, c queue.ShipmentCheck) bool {
	events, err := client.SigningHistory(ctx, c.UpstreamID)
	list := make([]dispatch.ServiceEvent, len(events))
	for i, e := range events {
		list[i] = dispatch.ServiceEvent{At: e.At, Said: dispatch.MaskNationalIDs(e.Said), Text: dispatch.MaskNationalIDs(e.Text), Status: e.Status}
	}
	list = newestFirst(list)
	w.saveReport(ctx, c, dispatch.SourceSigning, list, err)
	status := latestSigning(list)
	if err != nil || status == "" {
		return false
	}
	w.db.note(ctx, queue.In(w.o.Store).Checks.SaveSigning(ctx, c.Check, status))
	return status.Settled()
}

// latestSigning is the newest signing status in a log, newest first; lines without a status are skipped.
func latestSigning(list []dispatch.ServiceEvent) dispatch.SigningStatus {
	for _, e := range list {
		if e.Status != "" {
			return e.Status
		}
	}
	return ""
}

func (w *Worker) readDocuments(ctx context.Context, client shipmentapi.Client, c queue.ShipmentCheck) {
	reports, err := client.Documents(ctx, c.UpstreamID)
	list := make([]dispatch.ServiceDocument, len(reports))
	for i, r := range reports {
		list[i] = dispatch.ServiceDocument(r)
	}
	w.saveReport(ctx, c, dispatch.SourceDocuments, list, err)
}

func (w *Worker) saveReport(ctx context.Context, c queue.ShipmentCheck, source dispatch.Source, report any, err error) {
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		e := clients.AsError(err)
		w.o.Unread(dispatch.KindShipment, c.Integration, e.Key)
		w.db.note(ctx, queue.In(w.o.Store).Checks.SaveReportError(ctx, c.Check, source, e.Reason()))
		return
	}
	w.db.note(ctx, queue.In(w.o.Store).Checks.SaveReport(ctx, c.Check, source, report))
}

// newestFirst sorts by time; events with equal times keep the service's order, reversed.
func newestFirst(list []dispatch.ServiceEvent) []dispatch.ServiceEvent {
	slices.Reverse(list)
	return dispatch.NewestFirst(func(e dispatch.ServiceEvent) time.Time { return e.At }, list)
}
