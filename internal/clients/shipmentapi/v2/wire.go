package v2

import (
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
)

// Requests use the names of generation V2 (upstream facts 1.3). Booleans are always written, other fields only if not
// empty.

type forsendelse struct {
	Mottaker                     adresse           `json:"mottaker"`
	EksponertFor                 []string          `json:"eksponertFor,omitempty"`
	AvgivendeSystem              string            `json:"avgivendeSystem,omitempty"`
	AvgivendeSystemAktor         string            `json:"avgivendeSystemAktor,omitempty"`
	Tittel                       string            `json:"tittel"`
	Konteringskode               string            `json:"konteringskode,omitempty"`
	KunDigitalLevering           bool              `json:"kunDigitalLevering"`
	Kryptert                     bool              `json:"kryptert"`
	KrevNiva4Innlogging          bool              `json:"krevNiva4Innlogging"`
	SvarPaForsendelseLink        bool              `json:"svarPaForsendelseLink"`
	TaushetsbelagtPost           bool              `json:"taushetsbelagtPost"`
	Utskriftskonfigurasjon       utskrift          `json:"utskriftskonfigurasjon"`
	MetadataFraAvleverendeSystem *noarkAvleverende `json:"metadataFraAvleverendeSystem,omitempty"`
	MetadataForImport            *noarkFelles      `json:"metadataForImport,omitempty"`
	SvarSendesTil                *adresse          `json:"svarSendesTil,omitempty"`
	SvarPaForsendelse            string            `json:"svarPaForsendelse,omitempty"`
	Dokumenter                   []dokument        `json:"dokumenter"`
	Lenker                       []lenke           `json:"lenker,omitempty"`
	Forsendelsestype             string            `json:"forsendelsestype,omitempty"`
	EksternReferanse             string            `json:"eksternReferanse,omitempty"`
	Korrelasjonsid               string            `json:"korrelasjonsid,omitempty"`
	SigneringUtloper             string            `json:"signeringUtloper,omitempty"`
	SignaturType                 string            `json:"signaturType,omitempty"`
}

type adresse struct {
	DigitalID     string `json:"digitalId,omitempty"`
	Navn          string `json:"navn"`
	Adresselinje1 string `json:"adresselinje1,omitempty"`
	Adresselinje2 string `json:"adresselinje2,omitempty"`
	Adresselinje3 string `json:"adresselinje3,omitempty"`
	Poststed      string `json:"poststed,omitempty"`
	Postnummer    string `json:"postnummer,omitempty"`
	Land          string `json:"land,omitempty"`
}

type utskrift struct {
	UtskriftMedFarger bool `json:"utskriftMedFarger"`
	Tosidig           bool `json:"tosidig"`
}

// noarkFelles is the common part of both archive records; it is all of metadataForImport.
type noarkFelles struct {
	MappeID              string `json:"mappeId,omitempty"`
	MappeSystemID        string `json:"mappeSystemId,omitempty"`
	Saksaar              int    `json:"saksaar,omitempty"`
	Sakssekvensnummer    int    `json:"sakssekvensnummer,omitempty"`
	SystemID             string `json:"systemId,omitempty"`
	RegistreringsID      string `json:"registreringsId,omitempty"`
	Journalpostnummer    int    `json:"journalpostnummer,omitempty"`
	Journalaar           int    `json:"journalaar,omitempty"`
	Journalsekvensnummer int    `json:"journalsekvensnummer,omitempty"`
	Journalposttype      string `json:"journalposttype,omitempty"`
	Journalstatus        string `json:"journalstatus,omitempty"`
	DokumentetsDato      string `json:"dokumentetsDato,omitempty"`
	Tittel               string `json:"tittel,omitempty"`
}

type noarkAvleverende struct {
	noarkFelles
	Journaldato    string       `json:"journaldato,omitempty"`
	Saksbehandler  string       `json:"saksbehandler,omitempty"`
	EkstraMetadata []wire.Entry `json:"ekstraMetadata,omitempty"`
}

type dokument struct {
	Filnavn                             string       `json:"filnavn"`
	MimeType                            string       `json:"mimeType"`
	SkalSigneres                        bool         `json:"skalSigneres"`
	DokumentType                        string       `json:"dokumentType,omitempty"`
	GiroarkSider                        []int        `json:"giroarkSider,omitempty"`
	SkalEkskluderesFraUtskrift          bool         `json:"skalEkskluderesFraUtskrift"`
	EkstraMetadata                      []wire.Entry `json:"ekstraMetadata,omitempty"`
	InneholderPersonsensitivInformasjon bool         `json:"inneholderPersonsensitivInformasjon"`
}

type lenke struct {
	URL       string `json:"url"`
	Tekst     string `json:"tekst"`
	Ledetekst string `json:"ledetekst,omitempty"`
}

type statusSok struct {
	ForsendelseIDs []string `json:"forsendelseIds"`
}

type lest struct {
	Fnr                string `json:"fnr"`
	Tidspunkt          string `json:"tidspunkt"`
	EksterntSystemnavn string `json:"eksterntSystemnavn,omitempty"`
}

func toLest(r shipmentapi.Reading) lest {
	return lest{Fnr: r.NationalID.Reveal(), Tidspunkt: wire.Timestamp(r.At), EksterntSystemnavn: r.System}
}
