package shipmentv2

import (
	"time"
	"utsending/internal/clients/simulator"
)

// submission is Forsendelse of V2. Fields without rules are here because unknown ones are refused.
type submission struct {
	Title             string         `json:"tittel"`
	Recipient         *address       `json:"mottaker"`
	SharedWith        []string       `json:"eksponertFor"`
	SourceSystem      string         `json:"avgivendeSystem"`
	SourceActor       string         `json:"avgivendeSystemAktor"`
	BillingCode       string         `json:"konteringskode"`
	DigitalOnly       bool           `json:"kunDigitalLevering"`
	Encrypted         bool           `json:"kryptert"`
	PrintOptions      *printOptions  `json:"utskriftskonfigurasjon"`
	RequireLevel4     bool           `json:"krevNiva4Innlogging"`
	Archive           *archive       `json:"metadataFraAvleverendeSystem"`
	Import            *importing     `json:"metadataForImport"`
	ReplyTo           *address       `json:"svarSendesTil"`
	InReplyTo         *string        `json:"svarPaForsendelse"`
	Documents         []sentDocument `json:"dokumenter"`
	Links             []link         `json:"lenker"`
	Type              string         `json:"forsendelsestype"`
	ExternalReference string         `json:"eksternReferanse"`
	CorrelationID     string         `json:"korrelasjonsid"`
	ReplyLink         bool           `json:"svarPaForsendelseLink"`
	SignBy            *string        `json:"signeringUtloper"`
	SignatureType     string         `json:"signaturType"`
	Confidential      bool           `json:"taushetsbelagtPost"`
}

// address is Adresse of V2: one number, of a person or an organisation, beside the postal address.
type address struct {
	Name      string `json:"navn"`
	DigitalID string `json:"digitalId"`
	Line1     string `json:"adresselinje1"`
	Line2     string `json:"adresselinje2"`
	Line3     string `json:"adresselinje3"`
	City      string `json:"poststed"`
	Code      string `json:"postnummer"`
	Country   string `json:"land"`
}

// printOptions is Utskriftskonfigurasjon.
type printOptions struct {
	Color  bool `json:"utskriftMedFarger"`
	Duplex bool `json:"tosidig"`
}

// sentDocument is Dokument of V2.
type sentDocument struct {
	FileName         string            `json:"filnavn"`
	MimeType         string            `json:"mimeType"`
	Sign             bool              `json:"skalSigneres"`
	Type             *string           `json:"dokumentType"`
	GiroPages        []int             `json:"giroarkSider"`
	ExcludeFromPrint bool              `json:"skalEkskluderesFraUtskrift"`
	Extra            []simulator.Entry `json:"ekstraMetadata"`
	Sensitive        *bool             `json:"inneholderPersonsensitivInformasjon"`
}

// link is Lenke of V2.
type link struct {
	URL  string `json:"url"`
	Text string `json:"tekst"`
	Lead string `json:"ledetekst"`
}

// importing is NoarkMetadataForImport of V2.
type importing struct {
	FolderID        string  `json:"mappeId"`
	FolderSystemID  string  `json:"mappeSystemId"`
	CaseYear        int32   `json:"saksaar"`
	CaseSequence    int64   `json:"sakssekvensnummer"`
	SystemID        string  `json:"systemId"`
	RegistrationID  string  `json:"registreringsId"`
	JournalPost     int64   `json:"journalpostnummer"`
	JournalYear     int32   `json:"journalaar"`
	JournalSequence int64   `json:"journalsekvensnummer"`
	JournalType     string  `json:"journalposttype"`
	JournalStatus   string  `json:"journalstatus"`
	DocumentDate    *string `json:"dokumentetsDato"`
	Title           string  `json:"tittel"`
}

// archive is NoarkMetadataFraAvleverendeSaksSystem of V2.
type archive struct {
	FolderID        string            `json:"mappeId"`
	FolderSystemID  string            `json:"mappeSystemId"`
	CaseYear        int32             `json:"saksaar"`
	CaseSequence    int64             `json:"sakssekvensnummer"`
	SystemID        string            `json:"systemId"`
	RegistrationID  string            `json:"registreringsId"`
	JournalPost     int64             `json:"journalpostnummer"`
	JournalYear     int32             `json:"journalaar"`
	JournalSequence int64             `json:"journalsekvensnummer"`
	JournalType     string            `json:"journalposttype"`
	JournalStatus   string            `json:"journalstatus"`
	JournalDate     *string           `json:"journaldato"`
	DocumentDate    *string           `json:"dokumentetsDato"`
	Title           string            `json:"tittel"`
	Caseworker      string            `json:"saksbehandler"`
	Extra           []simulator.Entry `json:"ekstraMetadata"`
}

// decode decodes the metadata.
//
// Assumption: null is taken for an absent field, as the deployed V1 does.
func decode(metadata []byte) (simulator.Metadata, error) {
	var in submission
	err := simulator.Strict{Nulls: true}.Decode(metadata, &in)
	return in.fields(), err
}

func (in submission) fields() simulator.Metadata {
	l := simulator.Metadata{
		Title: in.Title, SourceSystem: in.SourceSystem, BillingCode: in.BillingCode, ShipmentType: in.Type,
		ExternalReference: in.ExternalReference, CorrelationID: in.CorrelationID,
		To: in.Recipient.address(), ReplyTo: in.ReplyTo.address(), SharedWith: in.SharedWith, InReplyTo: in.InReplyTo,
		DigitalOnly: in.DigitalOnly, Encrypted: in.Encrypted, Level4: in.RequireLevel4, ReplyLink: in.ReplyLink,
		SignatureType: in.SignatureType,
	}
	for _, d := range in.Documents {
		l.Files = append(l.Files, simulator.File{
			Name: d.FileName, MimeType: d.MimeType, Sign: d.Sign, Kind: d.Type, GiroPages: d.GiroPages,
			ExcludeFromPrint: d.ExcludeFromPrint, Extra: d.Extra, Sensitive: d.Sensitive,
		})
	}
	for _, k := range in.Links {
		l.Links = append(l.Links, simulator.Link{URL: k.URL, Text: k.Text})
	}
	in.readDates(&l)
	return l
}

// readDates requires an offset in each date.
func (in submission) readDates(l *simulator.Metadata) {
	dates := []*string{in.SignBy}
	if in.Archive != nil {
		dates = append(dates, in.Archive.JournalDate, in.Archive.DocumentDate)
	}
	if in.Import != nil {
		dates = append(dates, in.Import.DocumentDate)
	}
	for i, date := range dates {
		if date == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, *date)
		switch {
		case err != nil:
			l.BadDate = true
		case i == 0:
			l.SignBy = &at
		}
	}
}

// address takes eleven digits for a person and nine for an organisation.
func (a *address) address() *simulator.Address {
	if a == nil {
		return nil
	}
	to := simulator.Address{
		DigitalID: a.DigitalID,
		Postal: &simulator.Postal{
			Name: a.Name, Line1: a.Line1, Line2: a.Line2, Line3: a.Line3, Code: a.Code, City: a.City, Country: a.Country,
		},
	}
	switch {
	case simulator.IsNumber(a.DigitalID, 11):
		to.NationalID = a.DigitalID
	case simulator.IsNumber(a.DigitalID, 9):
		to.OrganizationNumber = a.DigitalID
	}
	return &to
}
