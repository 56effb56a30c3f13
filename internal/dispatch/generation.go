package dispatch

import (
	"regexp"
	"slices"
	"time"
)

// What a generation of the shipment service can and cannot is the data of this file and of statuses.go. The form,
// validation, help, delivery and the move of an account follow from it.

// Generation is a generation of the shipment service.
type Generation int

// The generations.
const (
	V1 Generation = 1
	V2 Generation = 2
	V3 Generation = 3
)

// Addressees is a set of kinds of recipients.
type Addressees uint8

// The kinds of recipients.
const (
	ToPerson       Addressees = 1 << iota // with a national identity number
	ToOrganization                        // with an organisation number
	ToPaper                               // without a number: straight to print
	ToHealth                              // in the health network

	nobody    Addressees = 0
	numbered             = ToPerson | ToOrganization
	everybody            = numbered | ToPaper
)

// AllAddressees are the kinds of recipients, in the order in which they are explained.
func AllAddressees() []Addressees { return []Addressees{ToPerson, ToOrganization, ToPaper, ToHealth} }

// Addressee is the kind of the shipment's recipient.
func (s Shipment) Addressee() Addressees {
	switch d := s.Recipient.Digital; {
	case s.Health != nil:
		return ToHealth
	case d.NationalID != "":
		return ToPerson
	case d.OrganizationNumber != "":
		return ToOrganization
	}
	return ToPaper
}

// GenerationRow is what a generation can and cannot, besides its fields and statuses.
type GenerationRow struct {
	Generation Generation
	Kind       IntegrationKind
	Ends       time.Time // the last day that the operator names; zero: none
	Recipients Addressees

	Basic        bool // a user and a password; else a bearer token and an integration
	AccountID    bool // calls are about one account, by its id at the service
	Reserves     bool // an id can be reserved before a submission, by which a lost answer is looked up
	DatedMatches bool // a look-up by reference tells time and source system; else only the files tell what is ours
	OwnReference bool // it has a field besides the reference that finds a lost answer, for the user's own
	Deletes      bool // files can be deleted before their time

	CheckDigits bool  // numbers whose check digits do not fit are refused
	Countries   bool  // a country is a two-letter code
	ReplyNumber bool  // a reply address has a number
	SignReply   bool  // a document to be signed needs an organisation to which it returns
	GiroPages   int   // of one file; 0: any
	Levels      []int // that receivers can be filtered by
	TypesListed bool  // a shipment type is one that the service lists
	PlainLinks  bool  // an address of a link has the characters of RFC 2396 only
	TypeInWords bool  // a filter by shipment type takes letters, digits and inner dots only

	BillingCode func() *regexp.Regexp
	Limits      Limits
}

// Limits are lengths of texts in UTF-16 units, and counts; 0: the generation names none.
type Limits struct {
	Title, Short                 int // of the shipment's texts; those of 100 characters
	Name, Line, City, PostalCode int
	Links, LinkURL, LinkText     int
	DocumentType, NoarkText      int
	Entries, EntryKey, EntryText int
	HealthTitle, HealthSize      int
	PrintSize                    int64 // bytes of what may be printed
}

// generationRows are the generations, oldest first (Shipment spec; upstream facts 1 and 2; Shipment V3 spec).
var generationRows = []GenerationRow{
	{
		Generation: V1, Kind: IntegrationShipmentV1, Ends: time.Date(2026, 12, 31, 0, 0, 0, 0, Oslo), Recipients: everybody,
		Basic: true, Reserves: true, BillingCode: billingCodeV1, Levels: []int{3, 4},
	},
	{
		Generation: V2, Kind: IntegrationShipmentV2, Recipients: everybody,
		AccountID: true, DatedMatches: true, OwnReference: true, Deletes: true,
		BillingCode: billingCodeV2, Levels: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, TypeInWords: true,
		Limits: Limits{Links: 5},
	},
	{
		Generation: V3, Kind: IntegrationShipmentV3, Recipients: everybody | ToHealth,
		AccountID: true, DatedMatches: true, OwnReference: true, Deletes: true,
		CheckDigits: true, Countries: true, ReplyNumber: true, SignReply: true, GiroPages: 1, TypesListed: true, PlainLinks: true,
		BillingCode: billingCodeV2, Levels: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, TypeInWords: true,
		Limits: Limits{
			Title: 1000, Short: shortTextMax, Name: 100, Line: 70, City: 70, PostalCode: 20, Links: 5, LinkURL: 1000, LinkText: 100, DocumentType: 100, NoarkText: 100,
			Entries: 20, EntryKey: 100, EntryText: 500, HealthTitle: 200, HealthSize: 18_000_000, PrintSize: PrintSizeMax - 1,
		},
	},
}

// Billing codes (Shipment spec, konteringsKode; from V2 on an underscore too, upstream facts 1.3).
var (
	billingCodeV1 = pattern(`^[a-zA-Z0-9\-.øæåØÆÅ]{0,20}$`)
	billingCodeV2 = pattern(`^[a-zA-Z0-9_\-.øæåØÆÅ]{0,20}$`)
)

// GenerationRows returns the generations, oldest first.
func GenerationRows() []GenerationRow { return slices.Clone(generationRows) }

// Newest is the generation on which an account would start.
func Newest() Generation { return generationRows[len(generationRows)-1].Generation }

// Row returns what a generation can; the oldest one's for none.
func (g Generation) Row() GenerationRow {
	for _, r := range generationRows {
		if r.Generation == g {
			return r
		}
	}
	return generationRows[0]
}

// Shipments tells whether the kind sends shipments.
func (k IntegrationKind) Shipments() bool { return k.Row().Generation != 0 }

// Row returns what the kind's generation of the shipment service can; the zero row for another service.
func (k IntegrationKind) Row() GenerationRow {
	for _, r := range generationRows {
		if r.Kind == k {
			return r
		}
	}
	return GenerationRow{}
}

// KindsWithout returns the kinds of the shipment service for which a property does not hold.
func KindsWithout(has func(GenerationRow) bool) []IntegrationKind {
	var kinds []IntegrationKind
	for _, r := range generationRows {
		if !has(r) {
			kinds = append(kinds, r.Kind)
		}
	}
	return kinds
}

// FieldRow tells for which recipients each generation has a field.
type FieldRow struct {
	Field string // of the form; fields of a file and of an archive record without their prefix
	In    map[Generation]Addressees
	used  func(Shipment) []string // the form's fields that say it; nil: leaving it out loses nothing that anybody reads
}

// Fields that only this table names.
const (
	FieldDelivery   = "levering"
	FieldColor      = "farger"
	FileType        = "type"
	FileExtra       = "ekstra"
	FieldArchiveIDs = "arkiv-id"
	FieldFileType   = "dok-type"
	FieldFileExtra  = "dok-ekstra"
	FieldSensitive  = "dok-sensitiv"
	FieldExcluded   = "dok-utelat"
	FieldGiro       = "dok-giro"
	FileGiro        = "giro"
	FieldHealth     = "helse"
)

// fieldRows are the fields that not every generation has for every recipient; what is not named here all have.
var fieldRows = []FieldRow{
	{FieldSourceActor, in(nobody, everybody, everybody|ToHealth), nil},
	{FieldCorrelation, in(nobody, everybody, everybody|ToHealth), nil},
	{FieldArchiveIDs, in(nobody, everybody, ToOrganization), nil},
	{FieldColor, in(everybody, everybody, nobody), one(FieldColor, func(s Shipment) bool { return s.Print.Color && !s.DigitalOnly })},
	{FieldDelivery, in(everybody, everybody, numbered|ToHealth), one(FieldDelivery, func(s Shipment) bool { return s.DigitalOnly })},
	{FieldLinks, in(everybody, everybody, numbered), one(FieldLinks, func(s Shipment) bool { return len(s.Links) > 0 })},
	{FieldSharedWith, in(everybody, everybody, numbered), one(FieldSharedWith, func(s Shipment) bool { return len(s.SharedWith) > 0 })},
	{FieldReplyLink, in(everybody, everybody, numbered), one(FieldReplyLink, func(s Shipment) bool { return s.ReplyLink })},
	{FieldLevel4, in(everybody, everybody, numbered), one(FieldLevel4, func(s Shipment) bool { return s.RequireLevel4 })},
	{FieldSignDocument, in(everybody, everybody, ToPerson), one(FieldSignDocument, Shipment.Signing)},
	{FieldType, in(everybody, everybody, ToOrganization), one(FieldType, func(s Shipment) bool { return s.Type != "" })},
	{FieldConfidential, in(everybody, everybody, ToOrganization), one(FieldConfidential, func(s Shipment) bool { return s.Confidential })},
	{FieldCase, in(everybody, everybody, ToOrganization), one(FieldCase+NoarkCaseYear, func(s Shipment) bool { return s.Case != nil })},
	{FieldImport, in(everybody, everybody, ToOrganization), one(FieldImport+NoarkCaseYear, func(s Shipment) bool { return s.Import != nil })},
	{FieldFileType, in(everybody, everybody, ToOrganization), each(FileType, func(d Document) bool { return d.Type != "" })},
	{FieldFileExtra, in(everybody, everybody, ToOrganization), each(FileExtra, func(d Document) bool { return len(d.Extra) > 0 })},
	{FieldSensitive, in(everybody, everybody, ToOrganization), each("", func(d Document) bool { return d.Sensitive })},
	{FieldGiro, in(everybody, everybody, everybody), each(FileGiro, func(d Document) bool { return len(d.GiroPages) > 0 })},
	{FieldReplyTo, in(everybody, everybody, everybody), one(FieldReplyTo, func(s Shipment) bool { return s.ReplyTo != nil })},
	{FieldExcluded, in(everybody, everybody, numbered), each("", func(d Document) bool { return d.ExcludeFromPrint })},
}

func in(v1, v2, v3 Addressees) map[Generation]Addressees {
	return map[Generation]Addressees{V1: v1, V2: v2, V3: v3}
}

// one is the use of a field of the whole shipment.
func one(field string, is func(Shipment) bool) func(Shipment) []string {
	return func(s Shipment) []string {
		if !is(s) {
			return nil
		}
		return []string{field}
	}
}

// each is the use of a field of its files.
func each(name string, is func(Document) bool) func(Shipment) []string {
	return func(s Shipment) []string {
		var fields []string
		for _, d := range s.Documents {
			if !is(d) {
				continue
			}
			field := FieldDocument + string(d.ID)
			if name != "" {
				field += "-" + name
			}
			fields = append(fields, field)
		}
		return fields
	}
}

// Addressees returns the recipients for which a generation has a field.
func (g Generation) Addressees(field string) Addressees {
	for _, f := range fieldRows {
		if f.Field == field {
			return f.In[g]
		}
	}
	return g.Row().Recipients
}

// Has tells whether a generation has a field for a recipient, or for any recipient of several.
func (g Generation) Has(field string, to Addressees) bool { return g.Addressees(field)&to != 0 }

// FileRule is which files a generation takes for a recipient.
type FileRule struct {
	Others bool  // types besides PDF, which are never printed
	Most   int   // files; 0: no limit but ours
	Size   int64 // bytes, of all together; 0: that of what is printed
}

// Files returns which files the generation takes for a recipient.
func (g Generation) Files(to Addressees) FileRule {
	if to == ToHealth {
		return FileRule{Most: 1, Size: int64(g.Row().Limits.HealthSize)}
	}
	return FileRule{Others: g.Has(FieldExcluded, to) || g.Has(FieldDelivery, to)}
}

// validateFields refuses what the generation has no field for, so that nothing that somebody chose is left out
// in silence.
func (s Shipment) validateFields(ps *Problems, g Generation) {
	to := s.Addressee()
	if g.Row().Recipients&to == 0 {
		ps.add(&Problem{Field: FieldHealth, Key: "problem.lacks." + FieldHealth})
		return
	}
	for _, f := range fieldRows {
		if f.used == nil || f.In[g]&to != 0 {
			continue
		}
		key := "problem.lacks." + f.Field
		if to == ToHealth {
			key = "problem.health.lacks"
		}
		for _, field := range f.used(s) {
			ps.add(&Problem{Field: field, Key: key})
		}
	}
}

// ValidateType refuses a shipment type that the service does not list, where it takes only those. Without a list,
// because the service did not answer, it decides itself.
func (s Shipment) ValidateType(g Generation, listed []string) Problems {
	if g.Row().TypesListed && s.Type != "" && len(listed) > 0 && !slices.Contains(listed, s.Type) {
		return Problems{{Field: FieldType, Key: "problem.type.unlisted"}}
	}
	return nil
}

// Lost returns the fields of the shipment that another generation would refuse, by their names in the table.
func (s Shipment) Lost(g Generation) []string {
	if g.Row().Recipients&s.Addressee() == 0 {
		return []string{FieldHealth}
	}
	var lost []string
	for _, f := range fieldRows {
		if f.used != nil && f.In[g]&s.Addressee() == 0 && len(f.used(s)) > 0 {
			lost = append(lost, f.Field)
		}
	}
	return lost
}
