package shipmentapi

import (
	"context"
	"net/url"
	"strconv"

	"utsending/internal/dispatch"
)

// Receivers reads the receiving systems, all or those that a filter leaves (Shipment spec, /mottakersystem).
func (c *V1) Receivers(ctx context.Context, filter ReceiverFilter) ([]Receiver, error) {
	query := url.Values{}
	if filter.OrganizationNumber != "" {
		query.Set("organisasjonsNummer", string(filter.OrganizationNumber))
	}
	if filter.Type != "" {
		query.Set("forsendelsesType", filter.Type)
	}
	if filter.Level != 0 {
		query.Set("niva", strconv.Itoa(filter.Level))
	}
	path := v1Path("mottakersystem")
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.receivers(ctx, path)
}

// ReceiversOf reads the receiving systems of one organisation (Shipment spec, /mottakersystem/{orgnr}).
func (c *V1) ReceiversOf(ctx context.Context, organization dispatch.OrganizationNumber) ([]Receiver, error) {
	if _, problem := dispatch.ParseOrganizationNumber("", string(organization)); problem != nil {
		return nil, rejected()
	}
	found, err := c.receivers(ctx, v1Path("mottakersystem", string(organization)))
	return found, notKnown(err)
}

func (c *V1) receivers(ctx context.Context, path string) ([]Receiver, error) {
	answer, err := getList[mottakerForsendelsesTyper](ctx, c, path, "treff")
	return each(answer, mottakerForsendelsesTyper.receiver), err
}
