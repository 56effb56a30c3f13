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

// sendShipment hands a claimed shipment over: an id is reserved and stored first, where the integration has it so, and
// everything is sent under it.
func (w *Worker) sendShipment(ctx context.Context, c *queue.Claim) (*handover, error) {
	h := &handover{}
	client, err := w.o.Upstream.Client(ctx, c.Lane.Integration, c.Lane.Service)
	if err != nil || client.Shipments == nil {
		return h, unreadable()
	}
	h.client = client
	if err := w.probe(ctx, c, client); err != nil {
		return h, err
	}
	if h.id, err = w.sentBefore(ctx, c, client); h.id != "" || err != nil {
		return h, err
	}
	s := c.Shipment
	if c.Lane.Reserves() && client.Kind == dispatch.IntegrationShipmentV1 {
		if err := w.reserve(ctx, c, client.Shipments); err != nil {
			return h, err
		}
	} else {
		// The person's own word may be shared by many shipments. V1 has no field for it beside the reference.
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

// probe makes a harmless call where a refusal holds everything back, so that no item is risked to learn that it does
// still. Of an account the service itself may forbid reading and not sending.
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

// sentBefore looks a shipment up that an earlier call may have brought over, before it is sent again, and returns the
// service's id of it; empty when it is surely not there. A person who has decided that it is to be sent again has seen what
// cannot be told; what can be told is, to the last moment.
func (w *Worker) sentBefore(ctx context.Context, c *queue.Claim, client upstream.Client) (string, error) {
	earlier, err := queue.In(w.o.Store).EarlierCalls(ctx, c)
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

// vainLookUp is the error of a shipment that cannot be looked up. That the service does not let us read says nothing of shipments
// that only have to be sent: this one waits alone.
func vainLookUp(e *clients.Error) *clients.Error {
	if e.HTTPStatus == http.StatusForbidden || e.HTTPStatus == http.StatusNotFound {
		e.Outcome, e.Scope = dispatch.OutcomeUnavailable, ""
	}
	return clients.Reading(e)
}

// afterUnknown looks our id up when the service says that it does not know it, and forgets it when that is so: the shipment
// gets another, and no other shipment waits for it.
func (w *Worker) afterUnknown(ctx context.Context, c *queue.Claim, client shipmentapi.Client, h *handover, e *clients.Error) error {
	switch p, _ := w.lookUp(ctx, client, c.Reserved, c.Shipment); p { // why the service could not be asked does not matter
	case there:
		h.id = c.Reserved
		return nil
	case absent:
		_ = queue.In(w.o.Store).Unreserve(ctx, c) // where that may not be, it goes under the same id
		return &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.not_known", HTTPStatus: e.HTTPStatus, Message: e.Message, Own: e.Own}
	}
	return e
}

// faultOf is what the service said was wrong, without whole numbers of people and not longer than anybody reads.
func faultOf(e *clients.Error) dispatch.Fault {
	f := shipmentapi.FaultOf(e)
	if said := []rune(dispatch.MaskNationalIDs(f.Said)); len(said) > dispatch.FaultMax {
		f.Said = string(said[:dispatch.FaultMax]) + "…"
	} else {
		f.Said = string(said)
	}
	return f
}

// reserve gets an id from the service, unless the item has one, and stores it before anything is sent under it.
func (w *Worker) reserve(ctx context.Context, c *queue.Claim, client shipmentapi.Client) error {
	if c.Reserved != "" {
		return nil
	}
	id, err := client.Start(ctx)
	if err != nil {
		return err
	}
	if err := queue.In(w.o.Store).Reserve(ctx, c, id); err != nil {
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

// afterDuplicate looks the shipment up when the service says that it has seen it before: that may have been us.
func (w *Worker) afterDuplicate(ctx context.Context, c *queue.Claim, h *handover, began time.Time, e *clients.Error) error {
	id, p, _ := w.find(ctx, h.client, queue.Recovery{ // why the service could not be asked does not matter
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

// handover is what is known of one call: what was accepted, and how far the body has come.
type handover struct {
	client upstream.Client
	id     string // the service's id of what was accepted

	mu   sync.Mutex // a call that was cut off may still be asking for its lease
	lost bool       // the lease was lost before the last byte
	sent time.Time  // when the last byte was let go; zero: never
}

func (h *handover) known() (lost bool, sent time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lost, h.sent
}

// ready asks for the lease before the last byte is let go, unless it was taken a moment ago.
func (h *handover) ready(w *Worker, c *queue.Claim) clients.Ready {
	return func(ctx context.Context) error {
		ok, err := true, error(nil)
		if !c.Younger(w.o.Lease / 3) {
			ok, err = queue.In(w.o.Store).Extend(ctx, c, w.o.Lease)
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

// presence is what a look-up at the service tells of an id.
type presence int

const (
	unknown presence = iota // the service could not be asked
	absent                  // not there, or reserved only
	there                   // accepted
	several                 // more than one may be it
)

// lookUp asks whether the service has a shipment under an id. A reserved id may already answer MOTTATT, so that alone
// proves nothing: any other status does, unknown ones included, and so do our documents. The error tells why it could not
// be asked.
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

// sameDocuments compares by hash, or by name where the files are encrypted at the service.
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
