package shipmentapi

import (
	"time"

	"utsending/internal/dispatch"
)

// What goes out carries the names of generation V2 (upstream facts 1.3). Fields that say true or false are always
// written; of the others only what has a value.

type forsendelseV2 struct {
	Mottaker                     adresseV2           `json:"mottaker"`
	EksponertFor                 []string            `json:"eksponertFor,omitempty"`
	AvgivendeSystem              string              `json:"avgivendeSystem,omitempty"`
	AvgivendeSystemAktor         string              `json:"avgivendeSystemAktor,omitempty"`
	Tittel                       string              `json:"tittel"`
	Konteringskode               string              `json:"konteringskode,omitempty"`
	KunDigitalLevering           bool                `json:"kunDigitalLevering"`
	Kryptert                     bool                `json:"kryptert"`
	KrevNiva4Innlogging          bool                `json:"krevNiva4Innlogging"`
	SvarPaForsendelseLink        bool                `json:"svarPaForsendelseLink"`
	TaushetsbelagtPost           bool                `json:"taushetsbelagtPost"`
	Utskriftskonfigurasjon       utskriftV2          `json:"utskriftskonfigurasjon"`
	MetadataFraAvleverendeSystem *noarkAvleverendeV2 `json:"metadataFraAvleverendeSystem,omitempty"`
	MetadataForImport            *noarkFellesV2      `json:"metadataForImport,omitempty"`
	SvarSendesTil                *adresseV2          `json:"svarSendesTil,omitempty"`
	SvarPaForsendelse            string              `json:"svarPaForsendelse,omitempty"`
	Dokumenter                   []dokumentV2        `json:"dokumenter"`
	Lenker                       []lenkeV2           `json:"lenker,omitempty"`
	Forsendelsestype             string              `json:"forsendelsestype,omitempty"`
	EksternReferanse             string              `json:"eksternReferanse,omitempty"`
	Korrelasjonsid               string              `json:"korrelasjonsid,omitempty"`
	SigneringUtloper             string              `json:"signeringUtloper,omitempty"`
	SignaturType                 string              `json:"signaturType,omitempty"`
}

type adresseV2 struct {
	DigitalID     string `json:"digitalId,omitempty"`
	Navn          string `json:"navn"`
	Adresselinje1 string `json:"adresselinje1,omitempty"`
	Adresselinje2 string `json:"adresselinje2,omitempty"`
	Adresselinje3 string `json:"adresselinje3,omitempty"`
	Poststed      string `json:"poststed,omitempty"`
	Postnummer    string `json:"postnummer,omitempty"`
	Land          string `json:"land,omitempty"`
}

type utskriftV2 struct {
	UtskriftMedFarger bool `json:"utskriftMedFarger"`
	Tosidig           bool `json:"tosidig"`
}

// noarkFellesV2 is what both archive records have; it is all of metadataForImport.
type noarkFellesV2 struct {
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

type noarkAvleverendeV2 struct {
	noarkFellesV2
	Journaldato    string  `json:"journaldato,omitempty"`
	Saksbehandler  string  `json:"saksbehandler,omitempty"`
	EkstraMetadata []entry `json:"ekstraMetadata,omitempty"`
}

type dokumentV2 struct {
	Filnavn                             string  `json:"filnavn"`
	MimeType                            string  `json:"mimeType"`
	SkalSigneres                        bool    `json:"skalSigneres"`
	DokumentType                        string  `json:"dokumentType,omitempty"`
	GiroarkSider                        []int   `json:"giroarkSider,omitempty"`
	SkalEkskluderesFraUtskrift          bool    `json:"skalEkskluderesFraUtskrift"`
	EkstraMetadata                      []entry `json:"ekstraMetadata,omitempty"`
	InneholderPersonsensitivInformasjon bool    `json:"inneholderPersonsensitivInformasjon"`
}

type lenkeV2 struct {
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

// timestamp is a date-time with an offset; a zero one is left out.
//
// Assumption: the offset may be any. It is that of Oslo, so that a reader who takes the day out of it takes the right one.
func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(oslo).Format(time.RFC3339)
}

func toLest(r Reading) lest {
	return lest{Fnr: r.NationalID.Reveal(), Tidspunkt: timestamp(r.At), EksterntSystemnavn: r.System}
}

func digitalIDV2(d dispatch.DigitalAddress) string {
	if d.NationalID != "" {
		return d.NationalID.Reveal()
	}
	return string(d.OrganizationNumber)
}
