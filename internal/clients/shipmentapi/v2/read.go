package v2

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Statuses reads the statuses of 1 to StatusesMax shipments of an account (upstream facts 1.2, status-sok). Shipments
// that the answer lacks are missing.
func (c *Client) Statuses(ctx context.Context, accountID string, ids []string) (map[string]shipmentapi.StatusReport, error) {
	if len(ids) == 0 || len(ids) > shipmentapi.StatusesMax {
		return nil, wire.Rejected()
	}
	path, err := accountPath(accountID, "forsendelser", "status-sok")
	if err != nil {
		return nil, err
	}
	x, err := c.b.Call(ctx, http.MethodPost, path, statusSok{ids})
	if err != nil {
		return nil, err
	}
	answer, err := wire.Understood[forsendelseStatus](x, "statuser")
	if err != nil {
		return nil, err
	}
	asked := wire.AskedFor(ids)
	reports := map[string]shipmentapi.StatusReport{}
	for _, s := range answer {
		if id, ok := asked[strings.ToLower(s.ID)]; ok && s.Status != "" {
			reports[id] = s.report()
		}
	}
	return reports, nil
}

// History reads the log of a shipment (upstream facts 1.2, hendelser).
func (c *Client) History(ctx context.Context, id string) ([]shipmentapi.Event, error) {
	answer, err := get[hendelse](ctx, c, operationPath("forsendelser", id, "hendelser"), "hendelser")
	return wire.Each(answer, hendelse.event), wire.NotKnown(err)
}

// SigningHistory reads the signing log of a shipment (upstream facts 1.2, signeringshendelser).
func (c *Client) SigningHistory(ctx context.Context, id string) ([]shipmentapi.SigningEvent, error) {
	answer, err := get[signeringshendelse](ctx, c, operationPath("forsendelser", id, "signeringshendelser"), "hendelser")
	return wire.Each(answer, signeringshendelse.event), wire.NotKnown(err)
}

// Documents reads the service's metadata of a shipment's documents (upstream facts 1.2, metadata).
func (c *Client) Documents(ctx context.Context, id string) ([]shipmentapi.DocumentReport, error) {
	answer, err := get[dokumentMetadata](ctx, c, operationPath("forsendelser", id, "metadata"), "dokumenter")
	return wire.Each(answer, dokumentMetadata.report), wire.NotKnown(err)
}

// ByExternalReference finds the shipments of an account with an external reference, with the data that distinguishes
// them (upstream facts 1.2).
//
// Assumption: a 404 is about the account or the address, and proves nothing about a reference.
func (c *Client) ByExternalReference(ctx context.Context, accountID, reference string) ([]shipmentapi.Match, error) {
	answer, err := byReference[match](ctx, c, accountID, reference, "forsendelser", "metadata")
	return wire.Each(answer, match.match), err
}

// IDsByExternalReference finds the ids of the shipments of an account with an external reference (upstream facts
// 1.2).
func (c *Client) IDsByExternalReference(ctx context.Context, accountID, reference string) ([]string, error) {
	return byReference[string](ctx, c, accountID, reference, "forsendelseIds")
}

func byReference[T any](ctx context.Context, c *Client, accountID, reference, name string, parts ...string) (wire.List[T], error) {
	if reference == "" {
		return nil, wire.Rejected()
	}
	path, err := accountPath(accountID, append([]string{"forsendelser"}, parts...)...)
	if err != nil {
		return nil, err
	}
	return get[T](ctx, c, path+"?"+url.Values{"eksternRef": {reference}}.Encode(), name)
}

// Types reads the shipment types that receiving systems know (upstream facts 1.2).
func (c *Client) Types(ctx context.Context) ([]string, error) {
	answer, err := get[string](ctx, c, operationPath("forsendelsestyper"), "forsendelsestyper")
	return wire.Usable(answer), err
}

// Receivers reads the receiving systems that match a filter (upstream facts 1.2, mottakersystem).
func (c *Client) Receivers(ctx context.Context, filter shipmentapi.ReceiverFilter) ([]shipmentapi.Receiver, error) {
	query := url.Values{}
	if filter.OrganizationNumber != "" {
		query.Set("organisasjonsnummer", string(filter.OrganizationNumber))
	}
	if filter.Type != "" {
		query.Set("forsendelseType", filter.Type)
	}
	if filter.Level != 0 {
		query.Set("niva", strconv.Itoa(filter.Level))
	}
	path := operationPath("mottakersystem")
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	answer, err := get[mottakersystem](ctx, c, path, "mottakersystemer")
	return wire.Each(answer, mottakersystem.receiver), err
}

// ReceiversOf reads the receiving systems of one organisation.
func (c *Client) ReceiversOf(ctx context.Context, organization dispatch.OrganizationNumber) ([]shipmentapi.Receiver, error) {
	return c.Receivers(ctx, shipmentapi.ReceiverFilter{OrganizationNumber: organization})
}

// MarkRead reports that a shipment was read outside the service (upstream facts 1.2, lest). It is idempotent, so its
// errors are those of a read.
func (c *Client) MarkRead(ctx context.Context, id string, r shipmentapi.Reading) error {
	if !r.Valid() {
		return wire.Rejected()
	}
	if c.b.Environment.Refuses(r.NationalID) {
		return wire.Refused()
	}
	return c.done(ctx, http.MethodPost, operationPath("forsendelser", id, "lest"), toLest(r))
}

// deletions are the wire values of deletions (upstream facts 1.2).
var deletions = map[dispatch.Deletion]string{dispatch.DeletedOriginals: "ORIGINALDOKUMENTER", dispatch.DeletedAll: "ALLE"}

// DeleteDocuments deletes the documents of a shipment, not the shipment (upstream facts 1.2). It is idempotent, so
// its errors are those of a read.
func (c *Client) DeleteDocuments(ctx context.Context, id string, which dispatch.Deletion) error {
	if deletions[which] == "" {
		return wire.Rejected()
	}
	path := operationPath("forsendelser", id, "dokumenter") + "?" + url.Values{"slettetype": {deletions[which]}}.Encode()
	return c.done(ctx, http.MethodDelete, path, nil)
}

// done makes a call about one shipment whose success has no content.
func (c *Client) done(ctx context.Context, method, path string, body any) error {
	x, err := c.b.Call(ctx, method, path, body)
	if err != nil || x.Status == http.StatusOK || x.Status == http.StatusNoContent {
		return err
	}
	return wire.NotKnown(wire.Unread(x))
}

// get reads a list under a name.
func get[T any](ctx context.Context, c *Client, path, name string) (wire.List[T], error) {
	x, err := c.b.Call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return wire.Understood[T](x, name)
}

// Start implements shipmentapi.Client: V2 reserves no ids.
func (c *Client) Start(context.Context) (string, error) { return "", shipmentapi.Lacking() }

// Status implements shipmentapi.Client: V2 reserves no ids.
func (c *Client) Status(context.Context, string) (shipmentapi.StatusReport, error) {
	return shipmentapi.StatusReport{}, shipmentapi.Lacking()
}
