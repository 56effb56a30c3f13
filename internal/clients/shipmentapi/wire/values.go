package wire

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Entry is a key-value pair of extra metadata.
type Entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// ToEntries encodes extra metadata.
func ToEntries(entries []dispatch.Entry) []Entry {
	var all []Entry
	for _, e := range entries {
		all = append(all, Entry(e))
	}
	return all
}

// FromEntries decodes extra metadata.
func FromEntries(entries []Entry) []dispatch.Entry {
	var all []dispatch.Entry
	for _, e := range entries {
		all = append(all, dispatch.Entry{Key: clients.Sentence(e.Key), Value: clients.Sentence(e.Value)})
	}
	return all
}

// Link is an address that the service gives for people's browsers; empty if it is none that a browser should follow.
func Link(said string) string {
	to, err := url.Parse(said)
	if err != nil || to.Scheme != "https" && to.Scheme != "http" || to.Host == "" || clients.Sentence(said) != said {
		return ""
	}
	return said
}

// ID is encoded as the specification's object, and decoded from that or a string.
type ID struct {
	ID string `json:"id"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *ID) UnmarshalJSON(b []byte) error { return textOrID(b, &i.ID) }

// SigningStatus maps the values of older answers to the five of the specification (upstream facts 2.1); unknown
// values are kept.
//
// Assumption: Utlopt and AvvistAvSvarut, which nobody has reported, are formed like the others.
func SigningStatus(word string) dispatch.SigningStatus {
	switch strings.TrimPrefix(word, "Signeringsoppdrag") {
	case "Registrert", "Startet":
		return dispatch.SigningWaiting
	case "Fullfort":
		return dispatch.SigningDone
	case "AvvistAvMottaker":
		return dispatch.SigningRefusedByRecipient
	case "AvvistAvSvarut":
		return dispatch.SigningRefusedByService
	case "Utlopt":
		return dispatch.SigningExpired
	}
	return dispatch.SigningStatus(clients.Word(word))
}

// textOrID decodes a string, or the id of an object; null leaves it unchanged.
func textOrID(b []byte, into *string) error {
	if json.Unmarshal(b, into) == nil {
		return nil
	}
	var record struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(b, &record)
	*into = record.ID
	return err
}

// idIn reads a shipment's id from an answer.
func idIn(body []byte) (string, bool) {
	var answer ID
	ok := json.Unmarshal(body, &answer) == nil && uuid.Validate(answer.ID) == nil
	return answer.ID, ok
}
