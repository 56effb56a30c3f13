package simulator

import "time"

// shipmentV1 is Forsendelse. O is the shape of an organisation number, E that of an item of eksponertFor: they differ
// between the specification and the deployed service. Fields that no rule concerns are here because unknown ones are
// refused.
type shipmentV1[O, E numbered] struct {
	Recipient         *addressV1[O]   `json:"mottaker"`
	SharedWith        []E             `json:"eksponertFor"`
	SourceSystem      string          `json:"avgivendeSystem"`
	Title             string          `json:"tittel"`
	BillingCode       string          `json:"konteringsKode"`
	DigitalOnly       bool            `json:"kunDigitalLevering"`
	Encrypted         bool            `json:"kryptert"`
	PrintOptions      *printOptionsV1 `json:"utskriftsKonfigurasjon"`
	RequireLevel4     bool            `json:"krevNiva4Innlogging"`
	Archive           *archiveV1      `json:"metadataFraAvleverendeSystem"`
	Import            *importV1       `json:"metadataForImport"`
	ReplyTo           *addressV1[O]   `json:"svarSendesTil"`
	InReplyTo         *idRecord       `json:"svarPaForsendelse"`
	Documents         []documentV1    `json:"dokumenter"`
	Links             []linkV1        `json:"lenker"`
	Type              string          `json:"forsendelsesType"`
	ExternalReference string          `json:"eksternReferanse"`
	ReplyLink         bool            `json:"svarPaForsendelseLink"`
	SignBy            *int64          `json:"signeringUtloper"`
	SignatureType     string          `json:"signaturType"`
	Confidential      bool            `json:"taushetsbelagtPost"`
}

// numbered is a shape in which a national id or an organisation number comes.
type numbered interface{ number() string }

type (
	// plain is a number as text: an organisation number of the deployed service, an item of eksponertFor of the
	// specification.
	plain string

	// organizationV1 is the specification's OrganisasjonsNummer.
	organizationV1 struct {
		ID string `json:"id"`
	}

	// digitalV1 is PersonDigitalAdresse or OrganisasjonDigitalAdresse; nothing tells them apart but their fields.
	digitalV1[O numbered] struct {
		NationalID         *string `json:"fodselsNummer"`
		OrganizationNumber *O      `json:"organisasjonsNummer"`
	}
)

func (p plain) number() string          { return string(p) }
func (o organizationV1) number() string { return o.ID }

func (d digitalV1[O]) number() string {
	if d.NationalID != nil {
		return *d.NationalID
	}
	return numberOf(d.OrganizationNumber)
}

func numberOf[O numbered](o *O) string {
	if o == nil {
		return ""
	}
	return (*o).number()
}

// addressV1 is Adresse.
type addressV1[O numbered] struct {
	Postal  *postalV1     `json:"postAdresse"`
	Digital *digitalV1[O] `json:"digitalAdresse"`
}

// postalV1 is PostAdresse.
type postalV1 struct {
	Name    string `json:"navn"`
	Line1   string `json:"adresse1"`
	Line2   string `json:"adresse2"`
	Line3   string `json:"adresse3"`
	City    string `json:"postSted"`
	Code    string `json:"postNummer"`
	Country string `json:"land"`
}

// printOptionsV1 is UtskriftsKonfigurasjon.
type printOptionsV1 struct {
	Color  bool `json:"utskriftMedFarger"`
	Duplex bool `json:"tosidig"`
}

// documentV1 is Dokument.
type documentV1 struct {
	FileName         string  `json:"filnavn"`
	MimeType         string  `json:"mimeType"`
	Sign             bool    `json:"skalSigneres"`
	Type             *string `json:"dokumentType"`
	GiroPages        []int   `json:"giroarkSider"`
	ExcludeFromPrint bool    `json:"ekskluderesFraUtskrift"`
	Extra            []entry `json:"ekstraMetadata"`
	Sensitive        *bool   `json:"inneholderPersonsensitivInformasjon"`
}

// linkV1 is Lenke.
type linkV1 struct {
	URL  string `json:"urlLenke"`
	Text string `json:"urlTekst"`
	Lead string `json:"ledeTekst"`
}

// archiveV1 is NoarkMetadataFraAvleverendeSaksSystem.
type archiveV1 struct {
	CaseSequence    int     `json:"saksSekvensNummer"`
	CaseYear        int     `json:"saksAar"`
	JournalYear     int     `json:"journalAar"`
	JournalSequence int     `json:"journalSekvensNummer"`
	JournalPost     int     `json:"journalPostNummer"`
	JournalType     string  `json:"journalPostType"`
	JournalStatus   string  `json:"journalStatus"`
	JournalDate     *int64  `json:"journalDato"`
	DocumentDate    *int64  `json:"dokumentetsDato"`
	Title           string  `json:"tittel"`
	Caseworker      string  `json:"saksBehandler"`
	Extra           []entry `json:"ekstraMetadata"`
}

// importV1 is NoarkMetadataForImport.
type importV1 struct {
	CaseSequence  int    `json:"saksSekvensNummer"`
	CaseYear      int    `json:"saksAar"`
	JournalType   string `json:"journalPostType"`
	JournalStatus string `json:"journalStatus"`
	DocumentDate  *int64 `json:"dokumentetsDato"`
	Title         string `json:"tittel"`
}

// decodeV1 reads the metadata in one of the two wires.
//
// Assumption: the deployed service takes null for an absent field, as its own client may write it (upstream-facts,
// section 2.1); the specification shows no null.
func decodeV1(wire string, metadata []byte) (letter, error) {
	if wire == WireDeployed {
		var in shipmentV1[plain, digitalV1[plain]]
		err := strict{nulls: true}.decode(metadata, &in)
		return in.letter(), err
	}
	var in shipmentV1[organizationV1, plain]
	err := decodeStrict(metadata, &in)
	return in.letter(), err
}

func (in shipmentV1[O, E]) letter() letter {
	l := letter{
		title: in.Title, sourceSystem: in.SourceSystem, billingCode: in.BillingCode,
		externalReference: in.ExternalReference, to: in.Recipient.address(), replyTo: in.ReplyTo.address(),
		digitalOnly: in.DigitalOnly, encrypted: in.Encrypted, level4: in.RequireLevel4, replyLink: in.ReplyLink,
		signatureType: in.SignatureType,
	}
	for _, e := range in.SharedWith {
		l.sharedWith = append(l.sharedWith, e.number())
	}
	if in.InReplyTo != nil {
		l.inReplyTo = &in.InReplyTo.ID
	}
	if in.SignBy != nil {
		l.signBy = new(time.UnixMilli(*in.SignBy))
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
	return l
}

func (a *addressV1[O]) address() *address {
	if a == nil {
		return nil
	}
	var to address
	if p := a.Postal; p != nil {
		to.postal = &postal{
			name: p.Name, line1: p.Line1, line2: p.Line2, line3: p.Line3, code: p.Code, city: p.City, country: p.Country,
		}
	}
	if d := a.Digital; d != nil {
		to.digital, to.organizationNumber = true, numberOf(d.OrganizationNumber)
		if d.NationalID != nil {
			to.nationalID = *d.NationalID
		}
	}
	return &to
}
