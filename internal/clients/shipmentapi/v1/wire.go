package v1

import (
	"time"

	"utsending/internal/clients/shipmentapi/wire"
)

// Requests use the specification's names (Shipment spec, Resources and their fields). Booleans are always written,
// other fields only if not empty. A field of type any has two encodings, see Wire.

type forsendelse struct {
	Mottaker                     adresse                                `json:"mottaker"`
	AvgivendeSystem              string                                 `json:"avgivendeSystem"`
	Tittel                       string                                 `json:"tittel"`
	KonteringsKode               string                                 `json:"konteringsKode,omitempty"`
	KunDigitalLevering           bool                                   `json:"kunDigitalLevering"`
	Kryptert                     bool                                   `json:"kryptert"`
	UtskriftsKonfigurasjon       utskriftsKonfigurasjon                 `json:"utskriftsKonfigurasjon"`
	KrevNiva4Innlogging          bool                                   `json:"krevNiva4Innlogging"`
	MetadataFraAvleverendeSystem *noarkMetadataFraAvleverendeSaksSystem `json:"metadataFraAvleverendeSystem,omitempty"`
	MetadataForImport            *noarkMetadataForImport                `json:"metadataForImport,omitempty"`
	SvarSendesTil                *adresse                               `json:"svarSendesTil,omitempty"`
	SvarPaForsendelse            *wire.ID                               `json:"svarPaForsendelse,omitempty"`
	Dokumenter                   []dokument                             `json:"dokumenter"`
	Lenker                       []lenke                                `json:"lenker,omitempty"`
	ForsendelsesType             string                                 `json:"forsendelsesType,omitempty"`
	EksternReferanse             string                                 `json:"eksternReferanse,omitempty"`
	SvarPaForsendelseLink        bool                                   `json:"svarPaForsendelseLink"`
	SigneringUtloper             int64                                  `json:"signeringUtloper,omitempty"`
	SignaturType                 string                                 `json:"signaturType,omitempty"`
	EksponertFor                 []any                                  `json:"eksponertFor,omitempty"`
	TaushetsbelagtPost           bool                                   `json:"taushetsbelagtPost"`
}

type adresse struct {
	PostAdresse    postAdresse     `json:"postAdresse"`
	DigitalAdresse *digitalAdresse `json:"digitalAdresse,omitempty"`
}

type postAdresse struct {
	Navn       string `json:"navn"`
	Adresse1   string `json:"adresse1,omitempty"`
	Adresse2   string `json:"adresse2,omitempty"`
	Adresse3   string `json:"adresse3,omitempty"`
	PostSted   string `json:"postSted,omitempty"`
	PostNummer string `json:"postNummer,omitempty"`
	Land       string `json:"land,omitempty"`
}

// digitalAdresse is OrganisasjonDigitalAdresse or PersonDigitalAdresse, distinguished by the field that is present.
type digitalAdresse struct {
	FodselsNummer       string `json:"fodselsNummer,omitempty"`
	OrganisasjonsNummer any    `json:"organisasjonsNummer,omitempty"`
}

type utskriftsKonfigurasjon struct {
	UtskriftMedFarger bool `json:"utskriftMedFarger"`
	Tosidig           bool `json:"tosidig"`
}

type noarkMetadataFraAvleverendeSaksSystem struct {
	SaksSekvensNummer    int          `json:"saksSekvensNummer,omitempty"`
	SaksAar              int          `json:"saksAar,omitempty"`
	JournalAar           int          `json:"journalAar,omitempty"`
	JournalSekvensNummer int          `json:"journalSekvensNummer,omitempty"`
	JournalPostNummer    int          `json:"journalPostNummer,omitempty"`
	JournalPostType      string       `json:"journalPostType,omitempty"`
	JournalStatus        string       `json:"journalStatus,omitempty"`
	JournalDato          int64        `json:"journalDato,omitempty"`
	DokumentetsDato      int64        `json:"dokumentetsDato,omitempty"`
	Tittel               string       `json:"tittel,omitempty"`
	SaksBehandler        string       `json:"saksBehandler,omitempty"`
	EkstraMetadata       []wire.Entry `json:"ekstraMetadata,omitempty"`
}

type noarkMetadataForImport struct {
	SaksSekvensNummer int    `json:"saksSekvensNummer,omitempty"`
	SaksAar           int    `json:"saksAar,omitempty"`
	JournalPostType   string `json:"journalPostType,omitempty"`
	JournalStatus     string `json:"journalStatus,omitempty"`
	DokumentetsDato   int64  `json:"dokumentetsDato,omitempty"`
	Tittel            string `json:"tittel,omitempty"`
}

type dokument struct {
	Filnavn                             string       `json:"filnavn"`
	MimeType                            string       `json:"mimeType,omitempty"`
	SkalSigneres                        bool         `json:"skalSigneres"`
	DokumentType                        string       `json:"dokumentType,omitempty"`
	GiroarkSider                        []int        `json:"giroarkSider,omitempty"`
	EkskluderesFraUtskrift              bool         `json:"ekskluderesFraUtskrift"`
	EkstraMetadata                      []wire.Entry `json:"ekstraMetadata,omitempty"`
	InneholderPersonsensitivInformasjon bool         `json:"inneholderPersonsensitivInformasjon"`
}

type lenke struct {
	URLLenke  string `json:"urlLenke"`
	URLTekst  string `json:"urlTekst"`
	LedeTekst string `json:"ledeTekst,omitempty"`
}

type lestAv struct {
	ForsendelsesID       *wire.ID `json:"forsendelsesId,omitempty"`
	LestAvFodselsNummer  string   `json:"lestAvFodselsNummer"`
	NavnPaEksterntSystem string   `json:"navnPaEksterntSystem"`
	DatoLest             int64    `json:"datoLest"`
}

// millis encodes a date; zero is omitted.
//
// Assumption: the specification does not show the format of dates; the deployed service takes milliseconds since 1970
// (upstream facts 2.1).
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
