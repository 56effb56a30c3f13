package shipmentapi

import (
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// What comes back is read with the names of upstream facts 1.2 and 1.5. Fields and values that are not listed may appear
// at any time (upstream facts 1.7): the former are ignored, the latter kept as they are.

// text is a text, or a number that is read as one.
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

type forsendelseStatusV2 struct {
	ID                 string `json:"id"`
	SisteStatusEndring moment `json:"sisteStatusEndring"`
	Status             string `json:"status"`
}

func (s forsendelseStatusV2) report() StatusReport {
	return StatusReport{Status: dispatch.Status(clients.Word(s.Status)), ChangedAt: s.SisteStatusEndring.Time}
}

type matchV2 struct {
	ID              string `json:"id"`
	Dato            moment `json:"dato"`
	AvgivendeSystem string `json:"avgivendeSystem"`
}

var errNoID = errors.New("a match without an id")

// UnmarshalJSON implements json.Unmarshaler. Of a match without an id nobody could tell whether it is ours: the answer is
// not understood then.
func (m *matchV2) UnmarshalJSON(b []byte) error {
	type plain matchV2
	if err := json.Unmarshal(b, (*plain)(m)); err != nil {
		return err
	}
	if uuid.Validate(m.ID) != nil {
		return errNoID
	}
	return nil
}

func (m matchV2) match() Match {
	return Match{ID: m.ID, SourceSystem: clients.Sentence(m.AvgivendeSystem), At: m.Dato.Time}
}

type hendelseV2 struct {
	Tidspunkt moment `json:"tidspunkt"`
	Hendelse  string `json:"hendelse"`
}

func (h hendelseV2) event() Event {
	return Event{At: h.Tidspunkt.Time, Said: h.Tidspunkt.said, Text: clients.Sentence(h.Hendelse)}
}

type signeringshendelseV2 struct {
	Tidspunkt moment `json:"tidspunkt"`
	Status    string `json:"status"`
	Hendelse  string `json:"hendelse"`
}

func (s signeringshendelseV2) event() SigningEvent {
	return SigningEvent{At: s.Tidspunkt.Time, Said: s.Tidspunkt.said, Status: signingStatus(s.Status), Text: clients.Sentence(s.Hendelse)}
}

type dokumentMetadataV2 struct {
	Filnavn                             string      `json:"filnavn"`
	MimeType                            string      `json:"mimeType"`
	DokumentType                        string      `json:"dokumentType"`
	Storrelse                           int64       `json:"storrelse"`
	Sha256Hash                          string      `json:"sha256Hash"`
	NedlasningURL                       string      `json:"nedlasningUrl"`
	KanSigneres                         bool        `json:"kanSigneres"`
	SigneringURL                        string      `json:"signeringUrl"`
	EkstraMetadata                      list[entry] `json:"ekstraMetadata"`
	InneholderPersonsensitivInformasjon bool        `json:"inneholderPersonsensitivInformasjon"`
}

func (d dokumentMetadataV2) report() DocumentReport {
	r := DocumentReport{
		FileName: clients.Sentence(d.Filnavn), MimeType: clients.Word(d.MimeType), Size: d.Storrelse, SHA256: d.Sha256Hash, Type: clients.Word(d.DokumentType),
		DownloadURL: d.NedlasningURL, SigningURL: d.SigneringURL, Signable: d.KanSigneres,
		Sensitive: d.InneholderPersonsensitivInformasjon,
	}
	for _, e := range d.EkstraMetadata {
		r.Extra = append(r.Extra, dispatch.Entry(e))
	}
	return r
}

type mottakersystemV2 struct {
	ID                  text   `json:"id"`
	Navn                string `json:"navn"`
	Organisasjonsnummer text   `json:"organisasjonsnummer"`
	ForsendelseType     string `json:"forsendelseType"`
	Niva                int    `json:"niva"`
}

func (m mottakersystemV2) receiver() Receiver {
	return Receiver{
		OrganizationNumber: dispatch.OrganizationNumber(m.Organisasjonsnummer), Type: m.ForsendelseType,
		System: clients.Sentence(m.Navn), SystemID: string(m.ID), Level: m.Niva,
	}
}
