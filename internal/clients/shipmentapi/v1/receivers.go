package v1

import (
	"context"
	"net/url"
	"strconv"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Receivers reads the receiving systems that match a filter (Shipment spec, /mottakersystem).
func (c *Client) Receivers(ctx context.Context, filter shipmentapi.ReceiverFilter) ([]shipmentapi.Receiver, error) {
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
	path := operationPath("mottakersystem")
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.receivers(ctx, path)
}

// ReceiversOf reads the receiving systems of one organisation (Shipment spec, /mottakersystem/{orgnr}).
func (c *Client) ReceiversOf(ctx context.Context, organization dispatch.OrganizationNumber) ([]shipmentapi.Receiver, error) {
	if _, problem := dispatch.ParseOrganizationNumber("", string(organization)); problem != nil {
		return nil, wire.Rejected()
	}
	found, err := c.receivers(ctx, operationPath("mottakersystem", string(organization)))
	return found, wire.NotKnown(err)
}

func (c *Client) receivers(ctx context.Context, path string) ([]shipmentapi.Receiver, error) {
	answer, err := getList[mottakerForsendelsesTyper](ctx, c, path, "treff")
	return wire.Each(answer, mottakerForsendelsesTyper.receiver), err
}
