package simulator

import "time"

// submissionV2 is Forsendelse of V2. Fields that no rule concerns are here because unknown ones are refused.
type submissionV2 struct {
	Title             string           `json:"tittel"`
	Recipient         *addressV2       `json:"mottaker"`
	SharedWith        []string         `json:"eksponertFor"`
	SourceSystem      string           `json:"avgivendeSystem"`
	SourceActor       string           `json:"avgivendeSystemAktor"`
	BillingCode       string           `json:"konteringskode"`
	DigitalOnly       bool             `json:"kunDigitalLevering"`
	Encrypted         bool             `json:"kryptert"`
	PrintOptions      *printOptionsV2  `json:"utskriftskonfigurasjon"`
	RequireLevel4     bool             `json:"krevNiva4Innlogging"`
	Archive           *archiveV2       `json:"metadataFraAvleverendeSystem"`
	Import            *importV2        `json:"metadataForImport"`
	ReplyTo           *addressV2       `json:"svarSendesTil"`
	InReplyTo         *string          `json:"svarPaForsendelse"`
	Documents         []sentDocumentV2 `json:"dokumenter"`
	Links             []linkV2         `json:"lenker"`
	Type              string           `json:"forsendelsestype"`
	ExternalReference string           `json:"eksternReferanse"`
	CorrelationID     string           `json:"korrelasjonsid"`
	ReplyLink         bool             `json:"svarPaForsendelseLink"`
	SignBy            *string          `json:"signeringUtloper"`
	SignatureType     string           `json:"signaturType"`
	Confidential      bool             `json:"taushetsbelagtPost"`
}

// addressV2 is Adresse of V2: one number, of a person or an organisation, beside the postal address.
type addressV2 struct {
	Name      string `json:"navn"`
	DigitalID string `json:"digitalId"`
	Line1     string `json:"adresselinje1"`
	Line2     string `json:"adresselinje2"`
	Line3     string `json:"adresselinje3"`
	City      string `json:"poststed"`
	Code      string `json:"postnummer"`
	Country   string `json:"land"`
}

// printOptionsV2 is Utskriftskonfigurasjon.
type printOptionsV2 struct {
	Color  bool `json:"utskriftMedFarger"`
	Duplex bool `json:"tosidig"`
}

// sentDocumentV2 is Dokument of V2.
type sentDocumentV2 struct {
	FileName         string  `json:"filnavn"`
	MimeType         string  `json:"mimeType"`
	Sign             bool    `json:"skalSigneres"`
	Type             *string `json:"dokumentType"`
	GiroPages        []int   `json:"giroarkSider"`
	ExcludeFromPrint bool    `json:"skalEkskluderesFraUtskrift"`
	Extra            []entry `json:"ekstraMetadata"`
	Sensitive        *bool   `json:"inneholderPersonsensitivInformasjon"`
}

// linkV2 is Lenke of V2.
type linkV2 struct {
	URL  string `json:"url"`
	Text string `json:"tekst"`
	Lead string `json:"ledetekst"`
}

// importV2 is NoarkMetadataForImport of V2.
type importV2 struct {
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

// archiveV2 is NoarkMetadataFraAvleverendeSaksSystem of V2.
type archiveV2 struct {
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
	JournalDate     *string `json:"journaldato"`
	DocumentDate    *string `json:"dokumentetsDato"`
	Title           string  `json:"tittel"`
	Caseworker      string  `json:"saksbehandler"`
	Extra           []entry `json:"ekstraMetadata"`
}

// decodeV2 reads the metadata.
//
// Assumption: null is taken for an absent field, as the deployed V1 does.
func decodeV2(metadata []byte) (letter, error) {
	var in submissionV2
	err := strict{nulls: true}.decode(metadata, &in)
	return in.letter(), err
}

func (in submissionV2) letter() letter {
	l := letter{
		title: in.Title, sourceSystem: in.SourceSystem, billingCode: in.BillingCode, shipmentType: in.Type,
		externalReference: in.ExternalReference, correlationID: in.CorrelationID,
		to: in.Recipient.address(), replyTo: in.ReplyTo.address(), sharedWith: in.SharedWith, inReplyTo: in.InReplyTo,
		digitalOnly: in.DigitalOnly, encrypted: in.Encrypted, level4: in.RequireLevel4, replyLink: in.ReplyLink,
		signatureType: in.SignatureType,
	}
	for _, d := range in.Documents {
		l.files = append(l.files, file{
			name: d.FileName, mimeType: d.MimeType, sign: d.Sign, kind: d.Type, giroPages: d.GiroPages,
			excludeFromPrint: d.ExcludeFromPrint, extra: d.Extra, sensitive: d.Sensitive,
		})
	}
	for _, k := range in.Links {
		l.links = append(l.links, link{url: k.URL, text: k.Text})
	}
	in.readDates(&l)
	return l
}

// readDates wants an offset in each date.
func (in submissionV2) readDates(l *letter) {
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
			l.badDate = true
		case i == 0:
			l.signBy = &at
		}
	}
}

// address takes eleven digits for a person and nine for an organisation.
func (a *addressV2) address() *address {
	if a == nil {
		return nil
	}
	to := address{
		digitalID: a.DigitalID,
		postal: &postal{
			name: a.Name, line1: a.Line1, line2: a.Line2, line3: a.Line3, code: a.Code, city: a.City, country: a.Country,
		},
	}
	switch {
	case isNumber(a.DigitalID, 11):
		to.nationalID = a.DigitalID
	case isNumber(a.DigitalID, 9):
		to.organizationNumber = a.DigitalID
	}
	return &to
}
