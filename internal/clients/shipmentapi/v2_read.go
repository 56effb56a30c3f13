package shipmentapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Statuses reads what has become of 1 to StatusesMax shipments of an account (upstream facts 1.2, status-sok). Shipments
// that the answer does not tell of are missing.
func (c *V2) Statuses(ctx context.Context, accountID string, ids []string) (map[string]StatusReport, error) {
	if len(ids) == 0 || len(ids) > StatusesMax {
		return nil, rejected()
	}
	path, err := accountPath(accountID, "forsendelser", "status-sok")
	if err != nil {
		return nil, err
	}
	x, err := c.call(ctx, http.MethodPost, path, statusSok{ids})
	if err != nil {
		return nil, err
	}
	answer, err := understood[forsendelseStatusV2](x, "statuser")
	if err != nil {
		return nil, err
	}
	asked := askedFor(ids)
	reports := map[string]StatusReport{}
	for _, s := range answer {
		if id, ok := asked[strings.ToLower(s.ID)]; ok && s.Status != "" {
			reports[id] = s.report()
		}
	}
	return reports, nil
}

// History reads the log of a shipment (upstream facts 1.2, hendelser).
func (c *V2) History(ctx context.Context, id string) ([]Event, error) {
	answer, err := getV2[hendelseV2](ctx, c, v2Path("forsendelser", id, "hendelser"), "hendelser")
	return each(answer, hendelseV2.event), notKnown(err)
}

// SigningHistory reads the signing log of a shipment (upstream facts 1.2, signeringshendelser).
func (c *V2) SigningHistory(ctx context.Context, id string) ([]SigningEvent, error) {
	answer, err := getV2[signeringshendelseV2](ctx, c, v2Path("forsendelser", id, "signeringshendelser"), "hendelser")
	return each(answer, signeringshendelseV2.event), notKnown(err)
}

// Documents reads what the service knows of a shipment's documents (upstream facts 1.2, metadata).
func (c *V2) Documents(ctx context.Context, id string) ([]DocumentReport, error) {
	answer, err := getV2[dokumentMetadataV2](ctx, c, v2Path("forsendelser", id, "metadata"), "dokumenter")
	return each(answer, dokumentMetadataV2.report), notKnown(err)
}

// ByExternalReference finds the shipments of an account that carry a reference, with what tells them apart (upstream
// facts 1.2).
//
// Assumption: a 404 is about the account or the address, and proves nothing of a reference.
func (c *V2) ByExternalReference(ctx context.Context, accountID, reference string) ([]Match, error) {
	answer, err := byReference[matchV2](ctx, c, accountID, reference, "forsendelser", "metadata")
	return each(answer, matchV2.match), err
}

// IDsByExternalReference finds the ids of the shipments of an account that carry a reference (upstream facts 1.2).
func (c *V2) IDsByExternalReference(ctx context.Context, accountID, reference string) ([]string, error) {
	return byReference[string](ctx, c, accountID, reference, "forsendelseIds")
}

func byReference[T any](ctx context.Context, c *V2, accountID, reference, name string, parts ...string) (list[T], error) {
	if reference == "" {
		return nil, rejected()
	}
	path, err := accountPath(accountID, append([]string{"forsendelser"}, parts...)...)
	if err != nil {
		return nil, err
	}
	return getV2[T](ctx, c, path+"?"+url.Values{"eksternRef": {reference}}.Encode(), name)
}

// Types reads the shipment types that receiving systems know (upstream facts 1.2).
func (c *V2) Types(ctx context.Context) ([]string, error) {
	answer, err := getV2[string](ctx, c, v2Path("forsendelsestyper"), "forsendelsestyper")
	return usable(answer), err
}

// Receivers reads the receiving systems, all or those that a filter leaves (upstream facts 1.2, mottakersystem).
func (c *V2) Receivers(ctx context.Context, filter ReceiverFilter) ([]Receiver, error) {
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
	path := v2Path("mottakersystem")
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	answer, err := getV2[mottakersystemV2](ctx, c, path, "mottakersystemer")
	return each(answer, mottakersystemV2.receiver), err
}

// MarkRead tells that a shipment was read outside the service (upstream facts 1.2, lest). Saying it again does no harm,
// so that the error is as that of a read.
func (c *V2) MarkRead(ctx context.Context, id string, r Reading) error {
	if !r.valid() {
		return rejected()
	}
	return c.done(ctx, http.MethodPost, v2Path("forsendelser", id, "lest"), toLest(r))
}

// Deletion says which documents of a shipment are deleted.
type Deletion string

// The deletions (upstream facts 1.2).
const (
	DeleteOriginals Deletion = "ORIGINALDOKUMENTER"
	DeleteAll       Deletion = "ALLE"
)

// DeleteDocuments deletes the documents of a shipment, not the shipment (upstream facts 1.2). Deleting them again does no
// harm, so that the error is as that of a read.
func (c *V2) DeleteDocuments(ctx context.Context, id string, which Deletion) error {
	path := v2Path("forsendelser", id, "dokumenter") + "?" + url.Values{"slettetype": {string(which)}}.Encode()
	return c.done(ctx, http.MethodDelete, path, nil)
}

// done makes a call about one shipment that promises no answer but that it is done.
func (c *V2) done(ctx context.Context, method, path string, body any) error {
	x, err := c.call(ctx, method, path, body)
	if err != nil || x.Status == http.StatusOK || x.Status == http.StatusNoContent {
		return err
	}
	return notKnown(unread(x))
}

// getV2 reads a list that stands under a name.
func getV2[T any](ctx context.Context, c *V2, path, name string) (list[T], error) {
	x, err := c.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return understood[T](x, name)
}
