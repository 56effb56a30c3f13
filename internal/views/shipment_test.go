package views

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
)

var formNow = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestParseDate(t *testing.T) {
	t.Parallel()
	fourth := time.Date(2026, 12, 4, 0, 0, 0, 0, oslo)
	for typed, want := range map[string]time.Time{
		"4.12.2026": fourth, "04.12.2026": fourth, "04.12.26": fourth, "4.12.26": fourth, "04122026": fourth, "2026-12-04": fourth, " 4.12.2026 ": fourth,
		"29.2.2028": time.Date(2028, 2, 29, 0, 0, 0, 0, oslo),
		"31.2.2026": {}, "29.2.2026": {}, "4.13.2026": {}, "0.12.2026": {}, "4122026": {}, "4/12/2026": {}, "4. desember": {}, "4.12": {}, "": {}, "i morgen": {},
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			got, ok := parseDate(typed)
			if !got.Equal(want) || ok == want.IsZero() {
				t.Errorf("got %v and %t, want %v", got, ok, want)
			}
		})
	}
}

// goodForm is filled in so that nothing stops it.
func goodForm() ShipmentForm {
	return ShipmentForm{
		RecipientKind: KindPerson, Number: "020132 99997", Name: " Ola Nordmann ", Line1: "Storgata 1", PostalCode: " 7713 ", City: "Steinkjer", Country: "Norge",
		Title: " Vedtak ", SourceSystem: "Utsending", Duplex: true, Documents: map[dispatch.DocumentID]DocumentForm{},
	}
}

func formFiles() []dispatch.Document {
	return []dispatch.Document{
		{ID: "a", FileName: "vedtak.pdf", MimeType: dispatch.MimePDF, Size: 1000, Pages: 3},
		{ID: "b", FileName: "faktura.pdf", MimeType: dispatch.MimePDF, Size: 1000, Pages: 2},
	}
}

func TestShipmentFormParse(t *testing.T) {
	t.Parallel()
	problem := func(field, key string, args dispatch.Args) dispatch.Problems {
		return dispatch.Problems{{Field: field, Key: key, Args: args}}
	}
	sign := func(f *ShipmentForm) {
		f.Sign, f.SignDocument, f.SignatureType, f.SignBy = true, "a", string(dispatch.SignatureAdvanced), "4.12.2026"
	}
	reply := PostalForm{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	for name, tt := range map[string]struct {
		change func(*ShipmentForm)
		want   dispatch.Problems
	}{
		"takes a good form":                      {func(*ShipmentForm) {}, nil},
		"takes nobody's number":                  {func(f *ShipmentForm) { f.Number = " " }, nil},
		"takes an organisation with blanks":      {func(f *ShipmentForm) { f.RecipientKind, f.Number = KindOrganization, "974 760 673" }, nil},
		"reads the number by the kind":           {func(f *ShipmentForm) { f.RecipientKind = KindOrganization }, problem("nummer", "problem.organization.length", dispatch.Args{"N": 11})},
		"tells of a wrong number once":           {func(f *ShipmentForm) { f.Number, f.DigitalOnly = "12345", true }, problem("nummer", "problem.national_id.length", dispatch.Args{"N": 5})},
		"refuses postal code 123":                {func(f *ShipmentForm) { f.PostalCode = "123" }, problem("postnummer", "problem.postal_code", nil)},
		"takes giro pages":                       {func(f *ShipmentForm) { f.Documents["b"] = DocumentForm{Giro: "2"} }, nil},
		"refuses giro page 9 of 3":               {func(f *ShipmentForm) { f.Documents["a"] = DocumentForm{Giro: "9"} }, problem("dok-a-giro", "problem.pages.range", dispatch.Args{"N": 3})},
		"refuses giro pages that are no numbers": {func(f *ShipmentForm) { f.Documents["a"] = DocumentForm{Giro: "siste"} }, problem("dok-a-giro", "problem.pages.unreadable", nil)},
		"takes signing":                          {sign, nil},
		"asks which file is to be signed":        {func(f *ShipmentForm) { sign(f); f.SignDocument = "" }, problem("signer", "problem.sign.choose", nil)},
		"does not take another draft's file":     {func(f *ShipmentForm) { sign(f); f.SignDocument = "c" }, problem("signer", "problem.sign.choose", nil)},
		"refuses a deadline that is no day":      {func(f *ShipmentForm) { sign(f); f.SignBy = "31.2.2026" }, problem("frist", "problem.date", nil)},
		"refuses no deadline":                    {func(f *ShipmentForm) { sign(f); f.SignBy = "" }, problem("frist", "problem.date", nil)},
		"refuses a deadline today":               {func(f *ShipmentForm) { sign(f); f.SignBy = "20.11.2026" }, problem("frist", "problem.sign.deadline", nil)},
		"takes a deadline tomorrow night":        {func(f *ShipmentForm) { sign(f); f.SignBy = "21.11.2026" }, nil},
		"forgets the rest when nothing is signed": {func(f *ShipmentForm) {
			sign(f)
			f.Sign, f.SignBy = false, "i morgen"
		}, nil},
		"takes a reply address":                   {func(f *ShipmentForm) { f.Reply, f.ReplyNumber = reply, "974 760 673" }, nil},
		"overlooks the reply's country alone":     {func(f *ShipmentForm) { f.Reply.Country = "Norge" }, nil},
		"refuses a wrong number to reply to":      {func(f *ShipmentForm) { f.Reply, f.ReplyNumber = reply, "12345" }, problem("svar-nummer", "problem.organization.length", dispatch.Args{"N": 5})},
		"refuses a reply address without a place": {func(f *ShipmentForm) { f.Reply = reply; f.Reply.City = "" }, problem("svar-poststed", "problem.city.empty", nil)},
		"refuses two left out of print": {func(f *ShipmentForm) {
			f.Documents["a"], f.Documents["b"] = DocumentForm{Exclude: true}, DocumentForm{Exclude: true}
		}, problem("dokumenter", "problem.documents.nothing_printed", nil)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := goodForm()
			tt.change(&f)
			_, got := f.Parse(dispatch.V1, formFiles(), formNow)
			if diff := cmp.Diff(got, tt.want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestShipmentFormParsesTheWhole(t *testing.T) {
	t.Parallel()
	f := goodForm()
	f.Line2, f.BillingCode, f.ExternalReference, f.Color = " Oppgang B ", " 4100-SFO ", " 2026/1234 ", true
	f.Sign, f.SignDocument, f.SignatureType, f.SignBy = true, "b", string(dispatch.SignatureAuthenticated), "04122026"
	f.Documents["b"] = DocumentForm{Giro: "2; 1", Type: " Faktura ", Sensitive: true}
	f.Reply, f.ReplyNumber = PostalForm{Name: "Fjordvik", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}, "974760673"
	files := formFiles()
	second := files[1]
	second.GiroPages, second.Type, second.Sensitive, second.Sign = []int{1, 2}, "Faktura", true, true
	want := dispatch.Shipment{
		Recipient: dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "02013299997"}, Postal: dispatch.PostalAddress{
			Name: "Ola Nordmann", Line1: "Storgata 1", Line2: "Oppgang B", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
		Title: "Vedtak", SourceSystem: "Utsending", BillingCode: "4100-SFO", ExternalReference: "2026/1234",
		Print: dispatch.PrintOptions{Duplex: true, Color: true}, Documents: []dispatch.Document{files[0], second},
		SignatureType: dispatch.SignatureAuthenticated, SignBy: time.Date(2026, 12, 4, 23, 59, 59, 0, oslo),
		ReplyTo: &dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}, Postal: dispatch.PostalAddress{
			Name: "Fjordvik", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
	}
	got, ps := f.Parse(dispatch.V1, files, formNow)
	if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" || len(ps) > 0 {
		t.Errorf("problems %v; got - want +:\n%s", ps, diff)
	}
}
