package smsapi

import (
	"context"
	"encoding/json"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Status reads what has become of an SMS (SMS spec, hentStatus). Values that the specification does not list are
// returned as they are.
func (c *Client) Status(ctx context.Context, accountID, smsID string) (dispatch.Status, error) {
	x, err := c.call(ctx, http.MethodGet, accountPath(accountID, "sms", smsID), nil, nil)
	if err != nil {
		return "", err
	}
	var answer smsRespons
	if x.Status == http.StatusOK && !x.Cut && json.Unmarshal(x.Body, &answer) == nil && answer.Status != "" {
		return dispatch.Status(answer.Status), nil
	}
	e := clients.Reading(clients.Classify(x, false))
	if x.Status == http.StatusNotFound {
		e.Key = "reason.not_known"
	}
	return "", e
}

// Contact is what the contact and reservation register knows of one number.
type Contact struct {
	Number string // the national identity or organisation number that was asked for
	Phone  dispatch.Phone
	Status string // GYLDIG, UGYLDIG or IKKE_FUNNET, verbatim
}

// Lookup asks the contact and reservation register for 1 to 1000 national identity or organisation numbers (SMS spec,
// krrOppslagSync).
func (c *Client) Lookup(ctx context.Context, accountID string, numbers []string) ([]Contact, error) {
	if len(numbers) == 0 || len(numbers) > LookupMax {
		return nil, rejected()
	}
	x, err := c.call(ctx, http.MethodPost, accountPath(accountID, "oppslag"), oppslagRequest{numbers}, nil)
	if err != nil {
		return nil, err
	}
	var answer []kontaktInformasjonRespons
	if x.Status != http.StatusOK || x.Cut || json.Unmarshal(x.Body, &answer) != nil {
		return nil, clients.Reading(clients.Classify(x, false))
	}
	contacts := make([]Contact, len(answer))
	for i, a := range answer {
		contacts[i] = Contact{Number: a.FnrOrgnr, Phone: dispatch.Phone(a.Telefonnummer), Status: a.TelefonnummerStatus}
	}
	return contacts, nil
}
