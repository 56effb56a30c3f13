package v1

import (
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Answers are read both as specified and as the deployed service sends them (upstream facts 2.1, 2.2). Unknown fields
// are ignored.

type forsendelsesStatus struct {
	ForsendelsesID     wire.ID     `json:"forsendelsesId"`
	SisteStatusEndring wire.Moment `json:"sisteStatusEndring"`
	Status             string      `json:"status"`
}

func (s forsendelsesStatus) report() shipmentapi.StatusReport {
	return shipmentapi.StatusReport{Status: dispatch.Status(clients.Word(s.Status)), ChangedAt: s.SisteStatusEndring.Time}
}

type dokumentMetadata struct {
	MimeType                            string                               `json:"mimeType"`
	Filnavn                             string                               `json:"filnavn"`
	KanSigneres                         bool                                 `json:"kanSigneres"`
	SizeInBytes                         int64                                `json:"sizeInBytes"`
	Sha256hash                          string                               `json:"sha256hash"`
	DokumentType                        string                               `json:"dokumentType"`
	NedlasningsURL                      string                               `json:"nedlasningsUrl"`
	SigneringsURL                       string                               `json:"signeringsUrl"`
	EkstraMetadata                      wire.Optional[wire.List[wire.Entry]] `json:"ekstraMetadata"`
	InneholderPersonsensitivInformasjon bool                                 `json:"inneholderPersonsensitivInformasjon"`
}

func (d dokumentMetadata) report() shipmentapi.DocumentReport {
	return shipmentapi.DocumentReport{
		FileName: clients.Sentence(d.Filnavn), MimeType: clients.Word(d.MimeType), Size: d.SizeInBytes, SHA256: clients.Word(d.Sha256hash), Type: clients.Word(d.DokumentType),
		DownloadURL: wire.Link(d.NedlasningsURL), SigningURL: wire.Link(d.SigneringsURL), Signable: d.KanSigneres,
		Sensitive: d.InneholderPersonsensitivInformasjon, Extra: wire.FromEntries(d.EkstraMetadata.Value),
	}
}

// match is the id of a shipment with our reference.
type match struct{ wire.ID }

var errNoID = errors.New("a match without an id")

// UnmarshalJSON implements json.Unmarshaler. What has no id could be neither looked at nor compared with ours: then the whole answer is
// not understood.
func (m *match) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &m.ID); err != nil {
		return err
	}
	if uuid.Validate(m.ID.ID) != nil {
		return errNoID
	}
	return nil
}

func (m match) match() shipmentapi.Match { return shipmentapi.Match{ID: m.ID.ID} }

type hendelsesLogg struct {
	Tidspunkt wire.Moment `json:"tidspunkt"`
	Hendelse  string      `json:"hendelse"`
}

func (h hendelsesLogg) event() shipmentapi.Event {
	return shipmentapi.Event{At: h.Tidspunkt.Time, Said: h.Tidspunkt.Said, Text: clients.Sentence(h.Hendelse)}
}

type signeringsLogg struct {
	Tidspunkt wire.Moment `json:"tidspunkt"`
	Type      string      `json:"type"`
	Hendelse  string      `json:"hendelse"`
}

func (s signeringsLogg) event() shipmentapi.SigningEvent {
	return shipmentapi.SigningEvent{At: s.Tidspunkt.Time, Said: s.Tidspunkt.Said, Status: wire.SigningStatus(s.Type), Text: clients.Sentence(s.Hendelse)}
}

type mottakerForsendelsesTyper struct {
	OrganisasjonsNummer wire.ID            `json:"organisasjonsNummer"`
	ForsendelsesType    string             `json:"forsendelsesType"`
	MottakerSystem      string             `json:"mottakerSystem"`
	MottakerID          string             `json:"mottakerId"`
	Niva                wire.Optional[int] `json:"niva"`
}

func (m mottakerForsendelsesTyper) receiver() shipmentapi.Receiver {
	return shipmentapi.Receiver{
		OrganizationNumber: dispatch.OrganizationNumber(clients.Word(m.OrganisasjonsNummer.ID)), Type: clients.Word(m.ForsendelsesType),
		System: clients.Sentence(m.MottakerSystem), SystemID: clients.Word(m.MottakerID), Level: m.Niva.Value,
	}
}
