package delivery

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/upstream"
)

// sendShipment hands over a claimed shipment. If the integration says so, an id is first reserved and stored, and the
// shipment is sent under it.
func (w *Worker) sendShipment(ctx context.Context, c *queue.Claim) (*handover, error) {
	h := &handover{}
	err := w.connect(ctx, c, h)
	if err != nil {
		return h, err
	}
	client := h.client
	if h.id, err = w.sentBefore(ctx, c, client); h.id != "" || err != nil {
		return h, err
	}
	s := c.Shipment
	if c.Lane.Reserves() && client.Kind.Row().Reserves {
		if err := w.reserve(ctx, c, client.Shipments); err != nil {
			return h, err
		}
	} else {
		// The user's own reference may be shared by many shipments. V1 has no other field for it.
		s.CorrelationID, s.ExternalReference = cmp.Or(s.CorrelationID, s.ExternalReference), c.Reference
	}
	began := time.Now()
	h.id, err = client.Shipments.Send(ctx, shipmentapi.Target{AccountID: c.Lane.ServiceID, Reserved: c.Reserved}, s, w.content(c), h.ready(w, c))
	switch e := clients.AsError(err); {
	case err != nil && e.Key == "reason.duplicate":
		return h, w.afterDuplicate(ctx, c, h, began, e)
	case err != nil && c.Reserved != "" && e.HTTPStatus == http.StatusNotFound && e.Own:
		return h, w.afterUnknown(ctx, c, client.Shipments, h, e)
	}
	return h, err
}

// probe makes a harmless read where a refusal blocks the integration, so that no item is risked to find out. For an
// account, the service may forbid reading and not sending, so it proves nothing there.
func (w *Worker) probe(ctx context.Context, c *queue.Claim, client upstream.Client) error {
	if !c.Lane.Refused {
		return nil
	}
	err := client.Allowed(ctx, c.Lane.ServiceID)
	if e := clients.AsError(err); err != nil && e.Outcome == dispatch.OutcomeRefused && (e.Scope == dispatch.ScopeIntegration || !e.Own) {
		return err
	}
	return nil
}

// sentBefore looks up a shipment that an earlier call may have sent, before it is sent again, and returns the
// service's id; empty when it is certainly not there. A person who decided to send it again accepted what could not
// be determined; what can be determined is checked up to the last moment.
func (w *Worker) sentBefore(ctx context.Context, c *queue.Claim, client upstream.Client) (string, error) {
	earlier, err := queue.In(w.o.Store).Claims.EarlierCalls(ctx, c)
	if err != nil {
		return "", &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.lease_lost"}
	}
	if earlier.Since.IsZero() {
		return "", nil
	}
	id, p, err := w.find(ctx, client, queue.Recovery{
		Item: c.Item, Account: c.Lane.Account, ServiceID: earlier.ServiceID, Since: earlier.Since, Reserved: c.Reserved,
		References: earlier.Sent, Shipment: c.Shipment,
	})
	w.o.Log.Info("shipment looked up before it is sent again", "item", string(c.Item), "there", p == there, "several", p == several, "known", p != unknown)
	switch {
	case err != nil:
		return "", vainLookUp(clients.AsError(err))
	case p == there:
		return id, nil
	case p == absent || earlier.Decided:
		return "", nil
	}
	return "", &clients.Error{Outcome: dispatch.OutcomeUncertain, Key: "reason.not_understood"}
}

// vainLookUp is the error of a shipment that cannot be looked up. If the service forbids reading, that says nothing
// about shipments that need no look-up: only this one waits.
func vainLookUp(e *clients.Error) *clients.Error {
	if e.HTTPStatus == http.StatusForbidden || e.HTTPStatus == http.StatusNotFound {
		e.Outcome, e.Scope = dispatch.OutcomeUnavailable, ""
	}
	return clients.Reading(e)
}

// afterUnknown looks up our reserved id when the service says that it does not know it, and removes the id if that is
// so: the shipment gets another, and does not block others.
func (w *Worker) afterUnknown(ctx context.Context, c *queue.Claim, client shipmentapi.Client, h *handover, e *clients.Error) error {
	switch p, _ := w.lookUp(ctx, client, c.Reserved, c.Shipment); p { // the error of the look-up does not matter
	case there:
		h.id = c.Reserved
		return nil
	case absent:
		_ = queue.In(w.o.Store).Claims.Unreserve(ctx, c) // if it may not be removed, the shipment is sent under the same id
		return &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.not_known", HTTPStatus: e.HTTPStatus, Message: e.Message, Own: e.Own}
	}
	return e
}

// faultOf is the service's complaint, with people's numbers masked, cut at FaultMax.
func faultOf(e *clients.Error) dispatch.Fault {
	f := shipmentapi.FaultOf(e)
	if said := []rune(dispatch.MaskNationalIDs(f.Said)); len(said) > dispatch.FaultMax {
		f.Said = string(said[:dispatch.FaultMax]) + "…"
	} else {
		f.Said = string(said)
	}
	return f
}

// reserve reserves an id at the service, unless the item has one, and stores it before anything is sent under it.
func (w *Worker) reserve(ctx context.Context, c *queue.Claim, client shipmentapi.Client) error {
	if c.Reserved != "" {
		return nil
	}
	id, err := client.Start(ctx)
	if err != nil {
		return err
	}
	if err := queue.In(w.o.Store).Claims.Reserve(ctx, c, id); err != nil {
		return &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.lease_lost"}
	}
	c.Reserved = id
	return nil
}

// content opens the stored files of a claimed shipment.
func (w *Worker) content(c *queue.Claim) shipmentapi.Content {
	return func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
		return w.o.Store.Content(ctx, c.Lane.Account, d), nil
	}
}

// afterDuplicate looks the shipment up when the service says that it is a duplicate: the first one may be ours.
func (w *Worker) afterDuplicate(ctx context.Context, c *queue.Claim, h *handover, began time.Time, e *clients.Error) error {
	id, p, _ := w.find(ctx, h.client, queue.Recovery{ // the error of the look-up does not matter
		Item: c.Item, Account: c.Lane.Account, ServiceID: c.Lane.ServiceID, Since: began, Reserved: c.Reserved,
		References: c.References(), Shipment: c.Shipment,
	})
	switch p {
	case there:
		h.id = id
		return nil
	case absent:
		return e
	}
	return &clients.Error{Outcome: dispatch.OutcomeUncertain, Key: e.Key, HTTPStatus: e.HTTPStatus, Message: e.Message, Own: e.Own}
}

// handover is the progress of one call: the accepted id, and how far the body was sent.
type handover struct {
	client upstream.Client
	id     string // the service's id of the accepted item

	mu   sync.Mutex // a call that was cut off may still be renewing its lease
	lost bool       // the lease was lost before the last byte
	sent time.Time  // when the last byte was sent; zero: never
}

func (h *handover) known() (lost bool, sent time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lost, h.sent
}

// ready renews the lease before the last byte is sent, unless the claim is very recent.
func (h *handover) ready(w *Worker, c *queue.Claim) clients.Ready {
	return func(ctx context.Context) error {
		ok, err := true, error(nil)
		if !c.Younger(w.o.Lease / 3) {
			ok, err = queue.In(w.o.Store).Claims.Extend(ctx, c, w.o.Lease)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if err != nil || !ok {
			h.lost = true
			return errLeaseLost
		}
		h.sent = time.Now()
		return nil
	}
}

// presence is the result of a look-up.
type presence int

const (
	unknown presence = iota // the service could not be asked
	absent                  // not there, or reserved only
	there                   // accepted
	several                 // several matches can be it
)

// lookUp asks whether the service has a shipment under an id. A reserved id may already answer MOTTATT, so that
// status alone proves nothing: any other does, unknown ones included, and so do our documents. The error tells why
// the service could not be asked.
func (w *Worker) lookUp(ctx context.Context, client shipmentapi.Client, id string, s dispatch.Shipment) (presence, error) {
	report, err := client.Status(ctx, id)
	switch {
	case clients.Missing(err):
		return absent, nil
	case err != nil:
		return unknown, err
	case report.Status != dispatch.StatusReceived:
		return there, nil
	}
	documents, err := client.Documents(ctx, id)
	switch {
	case clients.Missing(err):
		return absent, nil
	case err != nil:
		return unknown, err
	case len(documents) == 0:
		return absent, nil
	case sameDocuments(s, documents):
		return there, nil
	}
	return unknown, nil
}

// sameDocuments compares by hash, or by name if the files are encrypted at the service.
func sameDocuments(s dispatch.Shipment, reports []shipmentapi.DocumentReport) bool {
	if len(s.Documents) != len(reports) {
		return false
	}
	seen := map[string]bool{}
	for _, r := range reports {
		seen[fingerprint(s, r.FileName, r.SHA256)] = true
	}
	for _, d := range s.Documents {
		if !seen[fingerprint(s, d.FileName, d.SHA256)] {
			return false
		}
	}
	return true
}

func fingerprint(s dispatch.Shipment, name, sum string) string {
	if s.Encrypted {
		return name
	}
	return strings.ToLower(strings.TrimSpace(sum))
}
