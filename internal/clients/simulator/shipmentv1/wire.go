package shipmentv1

import (
	"time"
	"utsending/internal/clients/simulator"
)

// submission is Forsendelse. O is the type of an organisation number, E that of an item of eksponertFor, which differ
// between the specification and the deployed service. Fields without rules are here because unknown ones are refused.
type submission[O, E numbered] struct {
	Recipient         *address[O]   `json:"mottaker"`
	SharedWith        []E           `json:"eksponertFor"`
	SourceSystem      string        `json:"avgivendeSystem"`
	Title             string        `json:"tittel"`
	BillingCode       string        `json:"konteringsKode"`
	DigitalOnly       bool          `json:"kunDigitalLevering"`
	Encrypted         bool          `json:"kryptert"`
	PrintOptions      *printOptions `json:"utskriftsKonfigurasjon"`
	RequireLevel4     bool          `json:"krevNiva4Innlogging"`
	Archive           *archive      `json:"metadataFraAvleverendeSystem"`
	Import            *importing    `json:"metadataForImport"`
	ReplyTo           *address[O]   `json:"svarSendesTil"`
	InReplyTo         *idRecord     `json:"svarPaForsendelse"`
	Documents         []document    `json:"dokumenter"`
	Links             []link        `json:"lenker"`
	Type              string        `json:"forsendelsesType"`
	ExternalReference string        `json:"eksternReferanse"`
	ReplyLink         bool          `json:"svarPaForsendelseLink"`
	SignBy            *int64        `json:"signeringUtloper"`
	SignatureType     string        `json:"signaturType"`
	Confidential      bool          `json:"taushetsbelagtPost"`
}

// numbered is an encoding of a national id or an organisation number.
type numbered interface{ number() string }

type (
	// plain is a number as a string: an organisation number of the deployed service, an item of eksponertFor of the
	// specification.
	plain string

	// organization is the specification's OrganisasjonsNummer.
	organization struct {
		ID string `json:"id"`
	}

	// digital is PersonDigitalAdresse or OrganisasjonDigitalAdresse, distinguished only by their fields.
	digital[O numbered] struct {
		NationalID         *string `json:"fodselsNummer"`
		OrganizationNumber *O      `json:"organisasjonsNummer"`
	}
)

func (p plain) number() string        { return string(p) }
func (o organization) number() string { return o.ID }

func (d digital[O]) number() string {
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

// address is Adresse.
type address[O numbered] struct {
	Postal  *postal     `json:"postAdresse"`
	Digital *digital[O] `json:"digitalAdresse"`
}

// postal is PostAdresse.
type postal struct {
	Name    string `json:"navn"`
	Line1   string `json:"adresse1"`
	Line2   string `json:"adresse2"`
	Line3   string `json:"adresse3"`
	City    string `json:"postSted"`
	Code    string `json:"postNummer"`
	Country string `json:"land"`
}

// printOptions is UtskriftsKonfigurasjon.
type printOptions struct {
	Color  bool `json:"utskriftMedFarger"`
	Duplex bool `json:"tosidig"`
}

// document is Dokument.
type document struct {
	FileName         string            `json:"filnavn"`
	MimeType         string            `json:"mimeType"`
	Sign             bool              `json:"skalSigneres"`
	Type             *string           `json:"dokumentType"`
	GiroPages        []int             `json:"giroarkSider"`
	ExcludeFromPrint bool              `json:"ekskluderesFraUtskrift"`
	Extra            []simulator.Entry `json:"ekstraMetadata"`
	Sensitive        *bool             `json:"inneholderPersonsensitivInformasjon"`
}

// link is Lenke.
type link struct {
	URL  string `json:"urlLenke"`
	Text string `json:"urlTekst"`
	Lead string `json:"ledeTekst"`
}

// archive is NoarkMetadataFraAvleverendeSaksSystem.
type archive struct {
	CaseSequence    int               `json:"saksSekvensNummer"`
	CaseYear        int               `json:"saksAar"`
	JournalYear     int               `json:"journalAar"`
	JournalSequence int               `json:"journalSekvensNummer"`
	JournalPost     int               `json:"journalPostNummer"`
	JournalType     string            `json:"journalPostType"`
	JournalStatus   string            `json:"journalStatus"`
	JournalDate     *int64            `json:"journalDato"`
	DocumentDate    *int64            `json:"dokumentetsDato"`
	Title           string            `json:"tittel"`
	Caseworker      string            `json:"saksBehandler"`
	Extra           []simulator.Entry `json:"ekstraMetadata"`
}

// importing is NoarkMetadataForImport.
type importing struct {
	CaseSequence  int    `json:"saksSekvensNummer"`
	CaseYear      int    `json:"saksAar"`
	JournalType   string `json:"journalPostType"`
	JournalStatus string `json:"journalStatus"`
	DocumentDate  *int64 `json:"dokumentetsDato"`
	Title         string `json:"tittel"`
}

// decode decodes the metadata in one of the two wires.
//
// Assumption: the deployed service takes null for an absent field, as its own client may write it (upstream-facts,
// section 2.1); the specification shows no null.
func decode(wire string, metadata []byte) (simulator.Metadata, error) {
	if wire == simulator.WireDeployed {
		var in submission[plain, digital[plain]]
		err := simulator.Strict{Nulls: true}.Decode(metadata, &in)
		return in.fields(), err
	}
	var in submission[organization, plain]
	err := simulator.DecodeStrict(metadata, &in)
	return in.fields(), err
}

func (in submission[O, E]) fields() simulator.Metadata {
	l := simulator.Metadata{
		Title: in.Title, SourceSystem: in.SourceSystem, BillingCode: in.BillingCode,
		ExternalReference: in.ExternalReference, To: in.Recipient.address(), ReplyTo: in.ReplyTo.address(),
		DigitalOnly: in.DigitalOnly, Encrypted: in.Encrypted, Level4: in.RequireLevel4, ReplyLink: in.ReplyLink,
		SignatureType: in.SignatureType,
	}
	for _, e := range in.SharedWith {
		l.SharedWith = append(l.SharedWith, e.number())
	}
	if in.InReplyTo != nil {
		l.InReplyTo = &in.InReplyTo.ID
	}
	if in.SignBy != nil {
		l.SignBy = new(time.UnixMilli(*in.SignBy))
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
	return l
}

func (a *address[O]) address() *simulator.Address {
	if a == nil {
		return nil
	}
	var to simulator.Address
	if p := a.Postal; p != nil {
		to.Postal = &simulator.Postal{
			Name: p.Name, Line1: p.Line1, Line2: p.Line2, Line3: p.Line3, Code: p.Code, City: p.City, Country: p.Country,
		}
	}
	if d := a.Digital; d != nil {
		to.Digital, to.OrganizationNumber = true, numberOf(d.OrganizationNumber)
		if d.NationalID != nil {
			to.NationalID = *d.NationalID
		}
	}
	return &to
}
