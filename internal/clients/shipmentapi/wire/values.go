package wire

import (
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Entry is a pair of extra metadata.
type Entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// ToEntries writes extra metadata.
func ToEntries(entries []dispatch.Entry) []Entry {
	var all []Entry
	for _, e := range entries {
		all = append(all, Entry(e))
	}
	return all
}

// ID is written as the record of the specification, and read as that or as a text.
type ID struct {
	ID string `json:"id"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *ID) UnmarshalJSON(b []byte) error { return textOrID(b, &i.ID) }

// SigningStatus puts the words of older answers among the five of the specification (upstream facts 2.1); words that
// nobody knows stay as they are.
//
// Assumption: Utlopt and AvvistAvSvarut, which nobody has told of, are formed as the others.
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

// textOrID reads a text, or the id of a record; null leaves it as it was.
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

// idIn reads the id of a shipment out of an answer.
func idIn(body []byte) (string, bool) {
	var answer ID
	ok := json.Unmarshal(body, &answer) == nil && uuid.Validate(answer.ID) == nil
	return answer.ID, ok
}
