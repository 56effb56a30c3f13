package smsapi

import (
	"context"
	"encoding/json"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Status reads the status of an SMS (SMS spec, hentStatus). Unknown values are returned verbatim.
func (c *Client) Status(ctx context.Context, accountID, smsID string) (dispatch.Status, error) {
	x, err := c.read(ctx, http.MethodGet, accountPath(accountID, "sms", smsID), nil)
	if err != nil {
		return "", err
	}
	var answer smsRespons
	if x.Status == http.StatusOK && !x.Cut && json.Unmarshal(x.Body, &answer) == nil && answer.Status != "" {
		return dispatch.Status(clients.Word(answer.Status)), nil
	}
	e := clients.ClassifyRead(x)
	if x.Status == http.StatusNotFound {
		e.Key = "reason.not_known"
	}
	return "", e
}

// Lookup asks the contact and reservation register about 1 to 1000 national identity or organisation numbers (SMS
// spec, krrOppslagSync). The answers are returned as they are: the domain checks that they are about these numbers.
func (c *Client) Lookup(ctx context.Context, accountID string, numbers []dispatch.LookupNumber) ([]dispatch.Contact, error) {
	request, ok := toLookup(numbers)
	if !ok {
		return nil, rejected()
	}
	for _, n := range numbers {
		if len(n) == dispatch.NationalIDLength && c.o.Environment.Refuses(dispatch.NationalID(n)) {
			return nil, refused()
		}
	}
	x, err := c.read(ctx, http.MethodPost, accountPath(accountID, "oppslag"), request)
	if err != nil {
		return nil, err
	}
	var answer []kontaktInformasjonRespons
	if x.Status != http.StatusOK || x.Cut || json.Unmarshal(x.Body, &answer) != nil || answer == nil {
		return nil, clients.ClassifyRead(x)
	}
	contacts := make([]dispatch.Contact, len(answer))
	for i, a := range answer {
		contacts[i] = a.toDomain()
	}
	return contacts, nil
}
