package v1

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
)

// The error of a read is a *clients.Error and never uncertain.

// Status reads the status of a shipment (Shipment spec, /{id}/status). Unknown values are returned verbatim.
func (c *Client) Status(ctx context.Context, id string) (shipmentapi.StatusReport, error) {
	x, err := c.call(ctx, http.MethodGet, operationPath(id, "status"), nil)
	if err != nil {
		return shipmentapi.StatusReport{}, err
	}
	var answer forsendelsesStatus
	if x.Status == http.StatusOK && !x.Cut && json.Unmarshal(x.Body, &answer) == nil && answer.Status != "" {
		return answer.report(), nil
	}
	return shipmentapi.StatusReport{}, wire.NotKnown(wire.Unread(x))
}

// Statuses reads the statuses of 1 to StatusesMax shipments of the sender (Shipment spec, /statuser). Shipments that
// the answer lacks are missing.
func (c *Client) Statuses(ctx context.Context, _ string, ids []string) (map[string]shipmentapi.StatusReport, error) {
	if len(ids) == 0 || len(ids) > shipmentapi.StatusesMax {
		return nil, wire.Rejected()
	}
	x, err := c.call(ctx, http.MethodPost, operationPath("statuser"), dialect(c.o.Wire).statuser(ids))
	if err != nil {
		return nil, err
	}
	answer, err := wire.Understood[forsendelsesStatus](x, "statuser")
	if err != nil {
		return nil, err
	}
	asked := wire.AskedFor(ids)
	reports := map[string]shipmentapi.StatusReport{}
	for _, s := range answer {
		id, ok := asked[strings.ToLower(s.ForsendelsesID.ID)]
		if ok && s.Status != "" && !reports[id].ChangedAt.After(s.SisteStatusEndring.Time) {
			reports[id] = s.report()
		}
	}
	return reports, nil
}

// Documents reads the service's metadata of a shipment's documents (Shipment spec, /{id}/dokumentMetadata).
func (c *Client) Documents(ctx context.Context, id string) ([]shipmentapi.DocumentReport, error) {
	answer, err := getList[dokumentMetadata](ctx, c, operationPath(id, "dokumentMetadata"), "dokumentMetadata")
	return wire.Each(answer, dokumentMetadata.report), wire.NotKnown(err)
}

// History reads the log of a shipment (Shipment spec, /{id}/historikk).
func (c *Client) History(ctx context.Context, id string) ([]shipmentapi.Event, error) {
	answer, err := getList[hendelsesLogg](ctx, c, operationPath(id, "historikk"), "hendelsesLogger")
	return wire.Each(answer, hendelsesLogg.event), wire.NotKnown(err)
}

// SigningHistory reads the signing log of a shipment (Shipment spec, /{id}/signeringhistorikk).
func (c *Client) SigningHistory(ctx context.Context, id string) ([]shipmentapi.SigningEvent, error) {
	answer, err := getList[signeringsLogg](ctx, c, operationPath(id, "signeringhistorikk"), "logg")
	return wire.Each(answer, signeringsLogg.event), wire.NotKnown(err)
}

// Types reads the shipment types that receiving systems know (Shipment spec, /forsendelseTyper).
func (c *Client) Types(ctx context.Context) ([]string, error) {
	answer, err := getList[string](ctx, c, operationPath("forsendelseTyper"), "forsendelseTyper")
	return wire.Usable(answer), err
}

// ByExternalReference reads the ids of the sender's shipments with an external reference (Shipment spec,
// /eksternref/{eksternref}).
//
// Assumption: the method is GET (upstream facts 2.2).
func (c *Client) ByExternalReference(ctx context.Context, _, reference string) ([]shipmentapi.Match, error) {
	if reference == "" || reference == "." || reference == ".." { // not possible in a path
		return nil, wire.Rejected()
	}
	answer, err := getList[match](ctx, c, operationPath("eksternref", reference), "forsendelseIder")
	return wire.Each(answer, match.match), wire.NotKnown(err)
}

// MarkRead reports that a shipment was read outside the service (Shipment spec, /{id}/settLest). It is idempotent, so
// its errors are those of a read.
func (c *Client) MarkRead(ctx context.Context, id string, r shipmentapi.Reading) error {
	if !r.Valid() || r.System == "" {
		return wire.Rejected()
	}
	if c.o.Environment.Refuses(r.NationalID) {
		return wire.Refused()
	}
	x, err := c.call(ctx, http.MethodPost, operationPath(id, "settLest"), dialect(c.o.Wire).lestAv(id, r))
	if err != nil || x.Status == http.StatusOK || x.Status == http.StatusNoContent {
		return err
	}
	return wire.NotKnown(wire.Unread(x))
}

// getList reads a list, which may be wrapped in an object under a name.
func getList[T any](ctx context.Context, c *Client, path, name string) (wire.List[T], error) {
	x, err := c.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return wire.Understood[T](x, name)
}
