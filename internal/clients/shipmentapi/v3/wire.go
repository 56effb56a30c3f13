package v3

import (
	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Requests use the names of generation V3 (Shipment V3 spec, Fields per kind). Booleans that the kind has are always
// written, other fields only if not empty: an empty string is wrong.

// felles are the fields of every kind.
type felles struct {
	Tittel                 string    `json:"tittel"`
	AvgivendeSystem        string    `json:"avgivendeSystem,omitempty"`
	AvgivendeSystemAktor   string    `json:"avgivendeSystemAktor,omitempty"`
	Konteringskode         string    `json:"konteringskode,omitempty"`
	Kryptert               bool      `json:"kryptert"`
	Utskriftskonfigurasjon *utskrift `json:"utskriftskonfigurasjon,omitempty"`
	SvarPaForsendelseID    string    `json:"svarPaForsendelseId,omitempty"`
	EksternReferanse       string    `json:"eksternReferanse,omitempty"`
	Korrelasjonsid         string    `json:"korrelasjonsid,omitempty"`
}

// nummerert are the fields of a person and an organisation.
type nummerert struct {
	Mottaker           mottaker `json:"mottaker"`
	EksponertFor       []string `json:"eksponertFor,omitempty"`
	KunDigitalLevering bool     `json:"kunDigitalLevering"`
	Sikkerhetsniva     string   `json:"sikkerhetsniva"`
	SvarSendesTil      *svar    `json:"svarSendesTil,omitempty"`
	Lenker             []lenke  `json:"lenker,omitempty"`
	KanSvareViaEdialog bool     `json:"kanSvareViaEdialog"`
}

type personForsendelse struct {
	felles
	nummerert
	Dokumenter []personDokument `json:"dokumenter"`
	Signering  *signering       `json:"signering,omitempty"`
}

type organisasjonForsendelse struct {
	felles
	nummerert
	Dokumenter                   []organisasjonDokument `json:"dokumenter"`
	Forsendelsestype             string                 `json:"forsendelsestype,omitempty"`
	MetadataFraAvleverendeSystem *noarkAvleverende      `json:"metadataFraAvleverendeSystem,omitempty"`
	MetadataForImport            *noark                 `json:"metadataForImport,omitempty"`
	TaushetsbelagtPost           bool                   `json:"taushetsbelagtPost"`
}

type printForsendelse struct {
	felles
	Mottaker      postadresse `json:"mottaker"`
	SvarSendesTil *svar       `json:"svarSendesTil,omitempty"`
	Dokumenter    []dokument  `json:"dokumenter"`
}

type nhnForsendelse struct {
	felles
	Beskrivelse     string  `json:"beskrivelse,omitempty"`
	Mottakertype    string  `json:"mottakertype"`
	MottakerHerID   int     `json:"mottakerHerId,omitempty"`
	AvsenderKontakt kontakt `json:"avsenderKontakt"`
	Pasient         pasient `json:"pasient"`
}

type mottaker struct {
	Navn      string   `json:"navn"`
	DigitalID string   `json:"digitalId"`
	Adresse   *adresse `json:"adresse,omitempty"`
}

type postadresse struct {
	Navn    string  `json:"navn"`
	Adresse adresse `json:"adresse"`
}

type adresse struct {
	Adresselinje1 string `json:"adresselinje1"`
	Adresselinje2 string `json:"adresselinje2,omitempty"`
	Adresselinje3 string `json:"adresselinje3,omitempty"`
	Poststed      string `json:"poststed"`
	Postnummer    string `json:"postnummer,omitempty"`
	Landkode      string `json:"landkode,omitempty"`
}

type svar struct {
	Navn      string  `json:"navn"`
	Type      string  `json:"type"`
	DigitalID string  `json:"digitalId"`
	Adresse   adresse `json:"adresse"`
}

type utskrift struct {
	Tosidig bool `json:"tosidig"`
}

type signering struct {
	SigneringUtloper string `json:"signeringUtloper"`
	SignaturType     string `json:"signaturType"`
}

type lenke struct {
	URL       string `json:"url"`
	Tekst     string `json:"tekst"`
	Ledetekst string `json:"ledetekst,omitempty"`
}

type dokument struct {
	Filnavn     string `json:"filnavn"`
	MimeType    string `json:"mimeType"`
	GiroarkSide int    `json:"giroarkSide,omitempty"`
}

type personDokument struct {
	dokument
	SkalSigneres               bool `json:"skalSigneres"`
	SkalEkskluderesFraUtskrift bool `json:"skalEkskluderesFraUtskrift"`
}

type organisasjonDokument struct {
	dokument
	SkalEkskluderesFraUtskrift          bool         `json:"skalEkskluderesFraUtskrift"`
	DokumentType                        string       `json:"dokumentType,omitempty"`
	EkstraMetadata                      []wire.Entry `json:"ekstraMetadata,omitempty"`
	InneholderPersonsensitivInformasjon bool         `json:"inneholderPersonsensitivInformasjon"`
}

// noark is the common part of both archive records; it is all of metadataForImport.
type noark struct {
	MappeID              string `json:"mappeId,omitempty"`
	MappeSystemID        string `json:"mappeSystemId,omitempty"`
	SystemID             string `json:"systemId,omitempty"`
	RegistreringsID      string `json:"registreringsId,omitempty"`
	Saksaar              int    `json:"saksaar,omitempty"`
	Journalaar           int    `json:"journalaar,omitempty"`
	Sakssekvensnummer    int    `json:"sakssekvensnummer,omitempty"`
	Journalpostnummer    int    `json:"journalpostnummer,omitempty"`
	Journalsekvensnummer int    `json:"journalsekvensnummer,omitempty"`
	Journalposttype      string `json:"journalposttype,omitempty"`
	Journalstatus        string `json:"journalstatus,omitempty"`
	DokumentetsDato      string `json:"dokumentetsDato,omitempty"`
	Tittel               string `json:"tittel,omitempty"`
}

type noarkAvleverende struct {
	noark
	Journaldato    string       `json:"journaldato,omitempty"`
	Saksbehandler  string       `json:"saksbehandler,omitempty"`
	EkstraMetadata []wire.Entry `json:"ekstraMetadata,omitempty"`
}

type navn struct {
	Fornavn    string `json:"fornavn"`
	Mellomnavn string `json:"mellomnavn,omitempty"`
	Etternavn  string `json:"etternavn"`
}

type kontakt struct {
	navn
	Telefonnummer string `json:"telefonnummer"`
}

type pasient struct {
	navn
	Fodselsnummer string `json:"fodselsnummer"`
}

// statusSok is the body of hentStatuser; the field is called id although it is a list.
type statusSok struct {
	ID []string `json:"id"`
}

// forsendelseStatus is read leniently: unknown fields and values may appear at any time.
type forsendelseStatus struct {
	ID                 string      `json:"id"`
	SisteStatusEndring wire.Moment `json:"sisteStatusEndring"`
	Status             string      `json:"status"`
}

func (s forsendelseStatus) report() shipmentapi.StatusReport {
	return shipmentapi.StatusReport{Status: dispatch.Status(clients.Word(s.Status)), ChangedAt: s.SisteStatusEndring.Time}
}
