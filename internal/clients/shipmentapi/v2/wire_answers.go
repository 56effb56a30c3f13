package v2

import (
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Answers are read with the names of upstream facts 1.2 and 1.5. Unknown fields and values may appear at any time
// (upstream facts 1.7): the former are ignored, the latter kept verbatim.

// text is a string, or a number read as one.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	var number json.Number
	if json.Unmarshal(b, (*string)(t)) == nil {
		return nil
	}
	err := json.Unmarshal(b, &number)
	*t = text(number)
	return err
}

type forsendelseStatus struct {
	ID                 string      `json:"id"`
	SisteStatusEndring wire.Moment `json:"sisteStatusEndring"`
	Status             string      `json:"status"`
}

func (s forsendelseStatus) report() shipmentapi.StatusReport {
	return shipmentapi.StatusReport{Status: dispatch.Status(clients.Word(s.Status)), ChangedAt: s.SisteStatusEndring.Time}
}

type match struct {
	ID              string      `json:"id"`
	Dato            wire.Moment `json:"dato"`
	AvgivendeSystem string      `json:"avgivendeSystem"`
}

var errNoID = errors.New("a match without an id")

// UnmarshalJSON implements json.Unmarshaler. A match without an id could not be compared with ours: then the whole
// answer is not understood.
func (m *match) UnmarshalJSON(b []byte) error {
	type plain match
	if err := json.Unmarshal(b, (*plain)(m)); err != nil {
		return err
	}
	if uuid.Validate(m.ID) != nil {
		return errNoID
	}
	return nil
}

func (m match) match() shipmentapi.Match {
	return shipmentapi.Match{ID: m.ID, SourceSystem: clients.Sentence(m.AvgivendeSystem), At: m.Dato.Time}
}

type hendelse struct {
	Tidspunkt wire.Moment `json:"tidspunkt"`
	Hendelse  string      `json:"hendelse"`
}

func (h hendelse) event() shipmentapi.Event {
	return shipmentapi.Event{At: h.Tidspunkt.Time, Said: h.Tidspunkt.Said, Text: clients.Sentence(h.Hendelse)}
}

type signeringshendelse struct {
	Tidspunkt wire.Moment `json:"tidspunkt"`
	Status    string      `json:"status"`
	Hendelse  string      `json:"hendelse"`
}

func (s signeringshendelse) event() shipmentapi.SigningEvent {
	return shipmentapi.SigningEvent{At: s.Tidspunkt.Time, Said: s.Tidspunkt.Said, Status: wire.SigningStatus(s.Status), Text: clients.Sentence(s.Hendelse)}
}

type dokumentMetadata struct {
	Filnavn                             string                `json:"filnavn"`
	MimeType                            string                `json:"mimeType"`
	DokumentType                        string                `json:"dokumentType"`
	Storrelse                           int64                 `json:"storrelse"`
	Sha256Hash                          string                `json:"sha256Hash"`
	NedlasningURL                       string                `json:"nedlasningUrl"`
	KanSigneres                         bool                  `json:"kanSigneres"`
	SigneringURL                        string                `json:"signeringUrl"`
	EkstraMetadata                      wire.List[wire.Entry] `json:"ekstraMetadata"`
	InneholderPersonsensitivInformasjon bool                  `json:"inneholderPersonsensitivInformasjon"`
}

func (d dokumentMetadata) report() shipmentapi.DocumentReport {
	return shipmentapi.DocumentReport{
		FileName: clients.Sentence(d.Filnavn), MimeType: clients.Word(d.MimeType), Size: d.Storrelse, SHA256: clients.Word(d.Sha256Hash), Type: clients.Word(d.DokumentType),
		DownloadURL: wire.Link(d.NedlasningURL), SigningURL: wire.Link(d.SigneringURL), Signable: d.KanSigneres,
		Sensitive: d.InneholderPersonsensitivInformasjon, Extra: wire.FromEntries(d.EkstraMetadata),
	}
}

type mottakersystem struct {
	ID                  text   `json:"id"`
	Navn                string `json:"navn"`
	Organisasjonsnummer text   `json:"organisasjonsnummer"`
	ForsendelseType     string `json:"forsendelseType"`
	Niva                int    `json:"niva"`
}

func (m mottakersystem) receiver() shipmentapi.Receiver {
	return shipmentapi.Receiver{
		OrganizationNumber: dispatch.OrganizationNumber(clients.Word(string(m.Organisasjonsnummer))), Type: clients.Word(m.ForsendelseType),
		System: clients.Sentence(m.Navn), SystemID: clients.Word(string(m.ID)), Level: m.Niva,
	}
}
