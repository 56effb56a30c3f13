package shipmentapi

import (
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// What comes back is read as the specification shows it and as the deployed service sends it (upstream facts 2.1, 2.2).
// Fields that are not listed are ignored.

// UnmarshalJSON implements json.Unmarshaler.
func (i *forsendelsesID) UnmarshalJSON(b []byte) error { return textOrID(b, &i.ID) }

// UnmarshalJSON implements json.Unmarshaler.
func (n *organisasjonsNummer) UnmarshalJSON(b []byte) error { return textOrID(b, &n.ID) }

type forsendelsesStatus struct {
	ForsendelsesID     forsendelsesID `json:"forsendelsesId"`
	SisteStatusEndring moment         `json:"sisteStatusEndring"`
	Status             string         `json:"status"`
}

func (s forsendelsesStatus) report() StatusReport {
	return StatusReport{Status: dispatch.Status(clients.Word(s.Status)), ChangedAt: s.SisteStatusEndring.Time}
}

type dokumentMetadata struct {
	MimeType                            string                `json:"mimeType"`
	Filnavn                             string                `json:"filnavn"`
	KanSigneres                         bool                  `json:"kanSigneres"`
	SizeInBytes                         int64                 `json:"sizeInBytes"`
	Sha256hash                          string                `json:"sha256hash"`
	DokumentType                        string                `json:"dokumentType"`
	NedlasningsURL                      string                `json:"nedlasningsUrl"`
	SigneringsURL                       string                `json:"signeringsUrl"`
	EkstraMetadata                      optional[list[entry]] `json:"ekstraMetadata"`
	InneholderPersonsensitivInformasjon bool                  `json:"inneholderPersonsensitivInformasjon"`
}

func (d dokumentMetadata) report() DocumentReport {
	r := DocumentReport{
		FileName: clients.Sentence(d.Filnavn), MimeType: clients.Word(d.MimeType), Size: d.SizeInBytes, SHA256: d.Sha256hash, Type: clients.Word(d.DokumentType),
		DownloadURL: d.NedlasningsURL, SigningURL: d.SigneringsURL, Signable: d.KanSigneres,
		Sensitive: d.InneholderPersonsensitivInformasjon,
	}
	for _, e := range d.EkstraMetadata.value {
		r.Extra = append(r.Extra, dispatch.Entry(e))
	}
	return r
}

type hendelsesLogg struct {
	Tidspunkt moment `json:"tidspunkt"`
	Hendelse  string `json:"hendelse"`
}

func (h hendelsesLogg) event() Event {
	return Event{At: h.Tidspunkt.Time, Said: h.Tidspunkt.said, Text: clients.Sentence(h.Hendelse)}
}

type signeringsLogg struct {
	Tidspunkt moment `json:"tidspunkt"`
	Type      string `json:"type"`
	Hendelse  string `json:"hendelse"`
}

func (s signeringsLogg) event() SigningEvent {
	return SigningEvent{At: s.Tidspunkt.Time, Said: s.Tidspunkt.said, Status: signingStatus(s.Type), Text: clients.Sentence(s.Hendelse)}
}

// signingStatus puts the words of older answers among the five of the specification (upstream facts 2.1); words that
// nobody knows stay as they are.
//
// Assumption: Utlopt and AvvistAvSvarut, which nobody has told of, are formed as the others.
func signingStatus(word string) dispatch.SigningStatus {
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

type mottakerForsendelsesTyper struct {
	OrganisasjonsNummer organisasjonsNummer `json:"organisasjonsNummer"`
	ForsendelsesType    string              `json:"forsendelsesType"`
	MottakerSystem      string              `json:"mottakerSystem"`
	MottakerID          string              `json:"mottakerId"`
	Niva                optional[int]       `json:"niva"`
}

func (m mottakerForsendelsesTyper) receiver() Receiver {
	return Receiver{
		OrganizationNumber: dispatch.OrganizationNumber(m.OrganisasjonsNummer.ID), Type: m.ForsendelsesType,
		System: clients.Sentence(m.MottakerSystem), SystemID: m.MottakerID, Level: m.Niva.value,
	}
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
	var answer forsendelsesID
	ok := json.Unmarshal(body, &answer) == nil && uuid.Validate(answer.ID) == nil
	return answer.ID, ok
}
