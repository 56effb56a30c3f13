package shipmentv3

import "utsending/internal/clients/simulator"

// The types are typed from the specification of V3 a second time. A tag v3 holds the rules of a field: "R" required,
// "lo-hi" the length of a text or of an integer's range, "/re/" a pattern, "=A,B" the values, "uuid", "time".

type person struct {
	Title        *string     `json:"tittel" v3:"R 1-1000"`
	Recipient    *recipient  `json:"mottaker" v3:"R"`
	SharedWith   []string    `json:"eksponertFor"`
	SourceSystem *string     `json:"avgivendeSystem" v3:"1-100"`
	SourceActor  *string     `json:"avgivendeSystemAktor" v3:"1-100"`
	BillingCode  *string     `json:"konteringskode" v3:"1-20 /^[a-zA-Z0-9_\\-.øæåØÆÅ]{0,20}$/"`
	DigitalOnly  *bool       `json:"kunDigitalLevering"`
	Encrypted    *bool       `json:"kryptert"`
	Print        *printing   `json:"utskriftskonfigurasjon"`
	Level        *string     `json:"sikkerhetsniva" v3:"=BETYDELIG,HOYESTE"`
	ReplyTo      *replyTo    `json:"svarSendesTil"`
	Answers      *string     `json:"svarPaForsendelseId" v3:"uuid"`
	Documents    []personDoc `json:"dokumenter"`
	Links        []link      `json:"lenker"`
	ReplyLink    *bool       `json:"kanSvareViaEdialog"`
	Signing      *signing    `json:"signering"`
	Reference    *string     `json:"eksternReferanse" v3:"1-100"`
	Correlation  *string     `json:"korrelasjonsid" v3:"1-100"`
}

type organization struct {
	Title        *string    `json:"tittel" v3:"R 1-1000"`
	Recipient    *recipient `json:"mottaker" v3:"R"`
	SharedWith   []string   `json:"eksponertFor"`
	SourceSystem *string    `json:"avgivendeSystem" v3:"1-100"`
	SourceActor  *string    `json:"avgivendeSystemAktor" v3:"1-100"`
	BillingCode  *string    `json:"konteringskode" v3:"1-20 /^[a-zA-Z0-9_\\-.øæåØÆÅ]{0,20}$/"`
	DigitalOnly  *bool      `json:"kunDigitalLevering"`
	Encrypted    *bool      `json:"kryptert"`
	Print        *printing  `json:"utskriftskonfigurasjon"`
	Level        *string    `json:"sikkerhetsniva" v3:"=BETYDELIG,HOYESTE"`
	ReplyTo      *replyTo   `json:"svarSendesTil"`
	Answers      *string    `json:"svarPaForsendelseId" v3:"uuid"`
	Documents    []orgDoc   `json:"dokumenter"`
	Links        []link     `json:"lenker"`
	ReplyLink    *bool      `json:"kanSvareViaEdialog"`
	Type         *string    `json:"forsendelsestype" v3:"1-100"`
	Archive      *archive   `json:"metadataFraAvleverendeSystem"`
	Import       *importing `json:"metadataForImport"`
	Confidential *bool      `json:"taushetsbelagtPost"`
	Reference    *string    `json:"eksternReferanse" v3:"1-100"`
	Correlation  *string    `json:"korrelasjonsid" v3:"1-100"`
}

type onPaper struct {
	Title        *string   `json:"tittel" v3:"R 1-1000"`
	Recipient    *postal   `json:"mottaker" v3:"R"`
	SourceSystem *string   `json:"avgivendeSystem" v3:"1-100"`
	SourceActor  *string   `json:"avgivendeSystemAktor" v3:"1-100"`
	BillingCode  *string   `json:"konteringskode" v3:"1-20 /^[a-zA-Z0-9_\\-.øæåØÆÅ]{0,20}$/"`
	Encrypted    *bool     `json:"kryptert"`
	Print        *printing `json:"utskriftskonfigurasjon"`
	ReplyTo      *replyTo  `json:"svarSendesTil"`
	Answers      *string   `json:"svarPaForsendelseId" v3:"uuid"`
	Documents    []doc     `json:"dokumenter"`
	Reference    *string   `json:"eksternReferanse" v3:"1-100"`
	Correlation  *string   `json:"korrelasjonsid" v3:"1-100"`
}

type health struct {
	Title         *string   `json:"tittel" v3:"R 1-200"`
	About         *string   `json:"beskrivelse" v3:"1-5000"`
	RecipientType *string   `json:"mottakertype" v3:"R =FASTLEGE,HER_ID"`
	HERID         *int32    `json:"mottakerHerId" v3:"1-2147483647"`
	Contact       *contact  `json:"avsenderKontakt" v3:"R"`
	Patient       *patient  `json:"pasient" v3:"R"`
	SharedWith    []string  `json:"eksponertFor"`
	SourceSystem  *string   `json:"avgivendeSystem" v3:"1-100"`
	SourceActor   *string   `json:"avgivendeSystemAktor" v3:"1-100"`
	BillingCode   *string   `json:"konteringskode" v3:"1-20 /^[a-zA-Z0-9_\\-.øæåØÆÅ]{0,20}$/"`
	DigitalOnly   *bool     `json:"kunDigitalLevering"`
	Encrypted     *bool     `json:"kryptert"`
	Print         *printing `json:"utskriftskonfigurasjon"`
	Answers       *string   `json:"svarPaForsendelseId" v3:"uuid"`
	Reference     *string   `json:"eksternReferanse" v3:"1-100"`
	Correlation   *string   `json:"korrelasjonsid" v3:"1-100"`
}

type recipient struct {
	Name      *string  `json:"navn" v3:"R 1-100"`
	DigitalID *string  `json:"digitalId" v3:"R 9-11"`
	Address   *address `json:"adresse" v3:"notnull"`
}

type postal struct {
	Name    *string  `json:"navn" v3:"R 1-100"`
	Address *address `json:"adresse" v3:"R"`
}

type address struct {
	Line1   *string `json:"adresselinje1" v3:"R 1-70"`
	Line2   *string `json:"adresselinje2" v3:"1-70"`
	Line3   *string `json:"adresselinje3" v3:"1-70"`
	City    *string `json:"poststed" v3:"R 1-70"`
	Code    *string `json:"postnummer" v3:"1-20"`
	Country *string `json:"landkode" v3:"/^[A-Z]{2}$/"`
}

type replyTo struct {
	Name      *string  `json:"navn" v3:"R 1-100"`
	Type      *string  `json:"type" v3:"R =PERSON,ORGANISASJON,NHN_MOTTAKER"`
	DigitalID *string  `json:"digitalId" v3:"R /^[0-9]{1,11}$/"`
	Address   *address `json:"adresse" v3:"R"`
}

type printing struct {
	Duplex *bool `json:"tosidig"`
}

type signing struct {
	By   *string `json:"signeringUtloper" v3:"R time"`
	Type *string `json:"signaturType" v3:"R =AUTENTISERT_SIGNATUR,AVANSERT_SIGNATUR"`
}

type link struct {
	URL  *string `json:"url" v3:"R 1-1000"`
	Text *string `json:"tekst" v3:"R 1-100"`
	Lead *string `json:"ledetekst" v3:"1-100"`
}

type doc struct {
	FileName *string `json:"filnavn" v3:"R 1-226"`
	MimeType *string `json:"mimeType" v3:"R 1-50"`
	Giro     *int32  `json:"giroarkSide" v3:"1-2147483647"`
}

type personDoc struct {
	FileName *string `json:"filnavn" v3:"R 1-226"`
	MimeType *string `json:"mimeType" v3:"R 1-127"`
	Giro     *int32  `json:"giroarkSide" v3:"1-2147483647"`
	Sign     *bool   `json:"skalSigneres"`
	Exclude  *bool   `json:"skalEkskluderesFraUtskrift"`
}

type orgDoc struct {
	FileName  *string `json:"filnavn" v3:"R 1-226"`
	MimeType  *string `json:"mimeType" v3:"R 1-127"`
	Giro      *int32  `json:"giroarkSide" v3:"1-2147483647"`
	Exclude   *bool   `json:"skalEkskluderesFraUtskrift"`
	Type      *string `json:"dokumentType" v3:"1-100"`
	Extra     []entry `json:"ekstraMetadata"`
	Sensitive *bool   `json:"inneholderPersonsensitivInformasjon"`
}

type entry struct {
	Key   *string `json:"key" v3:"R 1-100"`
	Value *string `json:"value" v3:"R 1-500"`
}

type importing struct {
	FolderID        *string `json:"mappeId" v3:"1-100"`
	FolderSystemID  *string `json:"mappeSystemId" v3:"1-100"`
	SystemID        *string `json:"systemId" v3:"1-100"`
	RegistrationID  *string `json:"registreringsId" v3:"1-100"`
	CaseYear        *int64  `json:"saksaar" v3:"1000-3000"`
	JournalYear     *int64  `json:"journalaar" v3:"1000-3000"`
	CaseSequence    *int64  `json:"sakssekvensnummer" v3:"1-9223372036854775807"`
	JournalPost     *int64  `json:"journalpostnummer" v3:"1-9223372036854775807"`
	JournalSequence *int64  `json:"journalsekvensnummer" v3:"1-9223372036854775807"`
	JournalType     *string `json:"journalposttype" v3:"1-100"`
	JournalStatus   *string `json:"journalstatus" v3:"1-100"`
	DocumentDate    *string `json:"dokumentetsDato" v3:"time"`
	Title           *string `json:"tittel" v3:"1-1000"`
}

type archive struct {
	FolderID        *string `json:"mappeId" v3:"1-100"`
	FolderSystemID  *string `json:"mappeSystemId" v3:"1-100"`
	SystemID        *string `json:"systemId" v3:"1-100"`
	RegistrationID  *string `json:"registreringsId" v3:"1-100"`
	CaseYear        *int64  `json:"saksaar" v3:"1000-3000"`
	JournalYear     *int64  `json:"journalaar" v3:"1000-3000"`
	CaseSequence    *int64  `json:"sakssekvensnummer" v3:"1-9223372036854775807"`
	JournalPost     *int64  `json:"journalpostnummer" v3:"1-9223372036854775807"`
	JournalSequence *int64  `json:"journalsekvensnummer" v3:"1-9223372036854775807"`
	JournalType     *string `json:"journalposttype" v3:"1-100"`
	JournalStatus   *string `json:"journalstatus" v3:"1-100"`
	JournalDate     *string `json:"journaldato" v3:"time"`
	DocumentDate    *string `json:"dokumentetsDato" v3:"time"`
	Title           *string `json:"tittel" v3:"1-1000"`
	Caseworker      *string `json:"saksbehandler" v3:"1-100"`
	Extra           []entry `json:"ekstraMetadata"`
}

type contact struct {
	First  *string `json:"fornavn" v3:"R 1-30"`
	Middle *string `json:"mellomnavn" v3:"1-30"`
	Last   *string `json:"etternavn" v3:"R 1-30"`
	Phone  *string `json:"telefonnummer" v3:"R 1-20"`
}

type patient struct {
	First  *string `json:"fornavn" v3:"R 1-30"`
	Middle *string `json:"mellomnavn" v3:"1-30"`
	Last   *string `json:"etternavn" v3:"R 1-30"`
	ID     *string `json:"fodselsnummer" v3:"R /^[0-9]{11}$/"`
}

// of returns a value, or the zero value of what is left out.
func of[T any](value *T) (v T) {
	if value != nil {
		v = *value
	}
	return v
}

func (r *recipient) address() *simulator.Address {
	to := &simulator.Address{DigitalID: of(r.DigitalID), Postal: r.Address.postal(of(r.Name))}
	if len(to.DigitalID) == 11 {
		to.NationalID = to.DigitalID
	} else {
		to.OrganizationNumber = to.DigitalID
	}
	return to
}

func (a *address) postal(name string) *simulator.Postal {
	p := &simulator.Postal{Name: name}
	if a != nil {
		p.Line1, p.Line2, p.Line3 = of(a.Line1), of(a.Line2), of(a.Line3)
		p.Code, p.City, p.Country = of(a.Code), of(a.City), of(a.Country)
	}
	return p
}

func (r *replyTo) address() *simulator.Address {
	if r == nil {
		return nil
	}
	to := &simulator.Address{DigitalID: of(r.DigitalID), Postal: r.Address.postal(of(r.Name))}
	if of(r.Type) == "ORGANISASJON" {
		to.OrganizationNumber = to.DigitalID
	}
	return to
}
