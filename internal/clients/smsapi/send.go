package smsapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Send hands over one SMS and returns the service's id (SMS spec, sendSms). ready is called before the last byte is
// sent. The error is a *clients.Error.
func (c *Client) Send(ctx context.Context, accountID string, m dispatch.SMS, ready clients.Ready) (string, error) {
	if len(m.Validate()) > 0 {
		return "", rejected()
	}
	if c.o.Environment.Refuses(m.Recipient.NationalID) {
		return "", refused()
	}
	x, err := c.call(ctx, http.MethodPost, accountPath(accountID, "send"), toRequest(m), ready, clients.TookNothing)
	if err != nil {
		return "", err
	}
	if x.Status == http.StatusOK && !x.Cut {
		var answer smsID
		if json.Unmarshal(x.Body, &answer) == nil && uuid.Validate(answer.ID) == nil {
			return answer.ID, nil
		}
	}
	return "", clients.OfAccount(clients.Classify(x))
}

// Limits of a batch and of a lookup (SMS spec, Limits).
const (
	BatchMax  = 1000
	LookupMax = 1000
)

// SendBatch hands over one text to 1 to 1000 phone numbers (SMS spec, sendBatchSms). A success has no body and no
// ids: the service only promises that it has taken them. A success with a body is not understood.
func (c *Client) SendBatch(ctx context.Context, accountID string, phones []dispatch.Phone, text string, hide bool, ready clients.Ready) error {
	body := smsBatchRequest{Tekst: dispatch.NormalizeText(text), SkjulTekstIRapport: hide}
	for _, p := range phones {
		m := dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: p}, Text: text}
		if len(m.Validate()) > 0 {
			return rejected()
		}
		body.Telefonnummere = append(body.Telefonnummere, p.Reveal())
	}
	if len(phones) == 0 || len(phones) > BatchMax {
		return rejected()
	}
	x, err := c.call(ctx, http.MethodPost, accountPath(accountID, "sendBatch"), body, ready, clients.TookNothing)
	if err != nil || taken(x) {
		return err
	}
	return clients.OfAccount(clients.Classify(x))
}

// taken tells whether an answer is a success without a body. A batch has no status to read later, so a proxy's page
// must not pass as a success.
func taken(x clients.Exchange) bool {
	said := bytes.TrimSpace(x.Body)
	return (x.Status == http.StatusOK || x.Status == http.StatusNoContent) && !x.Cut && (len(said) == 0 || string(said) == "null")
}
