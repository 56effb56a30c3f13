package dispatch

import (
	"cmp"
	"reflect"
	"strings"
	"time"
)

// Draft is a shipment before it is sent: the form as typed, and its files.
type Draft struct {
	Item      Item
	Version   int       // counted up by each save, for optimistic locking
	SavedAt   time.Time // last; zero: it is as it was made
	By        PageSave  // the save of a page that is about to be stored
	Fields    DraftFields
	Documents []Document
	CopyOf    ItemID // the original, if the draft is a copy

	HandedBy string // name of the colleague who handed it over; empty: nobody
	HandedAt time.Time

	Template     TemplateUse // that it began with
	TemplateName string
}

// PageSave names a save of one loaded page. A page may store what it knows better than the version that it sends: where its own save was the
// latest, and its answer was lost.
type PageSave struct {
	Page   string // random; empty: unknown
	Number int    // counted up with each save
}

// Copied returns the fields for a copy; files maps each document to its copy. The deadline for signing, the time
// to send, and what is said of a list are not copied.
func (f DraftFields) Copied(files map[DocumentID]DocumentID) DraftFields {
	documents := map[DocumentID]DocumentFields{}
	for id, d := range f.Documents {
		documents[files[id]] = d
	}
	f.Documents, f.SignDocument, f.SignBy = documents, string(files[DocumentID(f.SignDocument)]), ""
	f.Timing, f.ReferenceEach = TimingFields{}, false
	return f
}

// Blank tells whether nothing at all is stored of a form.
func (f DraftFields) Blank() bool { return reflect.DeepEqual(f, DraftFields{}) }

// Lean returns the fields without empty lists, which a posted form has and a new one has not.
func (f DraftFields) Lean() DraftFields {
	if len(f.Documents) == 0 {
		f.Documents = nil
	}
	if len(f.Links) == 0 {
		f.Links = nil
	}
	if len(f.Case) == 0 {
		f.Case = nil
	}
	if len(f.Import) == 0 {
		f.Import = nil
	}
	return f
}

// FieldsOf returns a form filled in from a shipment. Choices about its files are empty: a shipment does not hold them.
func FieldsOf(s Shipment) DraftFields {
	f := DraftFields{
		Title: s.Title, SourceSystem: s.SourceSystem, SourceActor: s.SourceActor, BillingCode: s.BillingCode, ExternalReference: s.ExternalReference,
		DigitalOnly: s.DigitalOnly, Duplex: s.Print.Duplex, Color: s.Print.Color, Type: s.Type, CorrelationID: s.CorrelationID,
		Encrypt: s.Encrypted, Level4: s.RequireLevel4, Confidential: s.Confidential, ReplyLink: s.ReplyLink, InReplyTo: s.InReplyTo,
		Sign: !s.SignBy.IsZero(), SignatureType: cmp.Or(string(s.SignatureType), string(SignatureAuthenticated)),
	}
	for _, l := range s.Links {
		f.Links = append(f.Links, LinkFields{Lead: l.Lead, URL: l.URL, Text: l.Text})
	}
	var readers []string
	for _, r := range s.SharedWith {
		readers = append(readers, r.NationalID.Reveal()+string(r.OrganizationNumber))
	}
	f.SharedWith = strings.Join(readers, "\n")
	return f.WithAddress(s.Recipient)
}
