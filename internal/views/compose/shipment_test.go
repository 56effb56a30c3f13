package compose

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

var formNow = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func TestParseDate(t *testing.T) {
	t.Parallel()
	fourth := time.Date(2026, 12, 4, 0, 0, 0, 0, views.Oslo)
	for typed, want := range map[string]time.Time{
		"4.12.2026": fourth, "04.12.2026": fourth, "04.12.26": fourth, "4.12.26": fourth, "04122026": fourth, "2026-12-04": fourth, " 4.12.2026 ": fourth,
		"29.2.2028": time.Date(2028, 2, 29, 0, 0, 0, 0, views.Oslo),
		"31.2.2026": {}, "29.2.2026": {}, "4.13.2026": {}, "0.12.2026": {}, "4122026": {}, "4/12/2026": {}, "4. desember": {}, "4.12": {}, "": {}, "i morgen": {},
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			got, ok := views.ParseDate(typed)
			if !got.Equal(want) || ok == want.IsZero() {
				t.Errorf("got %v and %t, want %v", got, ok, want)
			}
		})
	}
}

// goodForm is a valid form.
func goodForm() dispatch.DraftFields {
	return dispatch.DraftFields{
		RecipientKind: KindPerson, Number: "020132 99997", Name: " Ola Nordmann ", Line1: "Storgata 1", PostalCode: " 7713 ", City: "Steinkjer", Country: "Norge",
		Title: " Vedtak ", SourceSystem: "Utsending", Duplex: true, Documents: map[dispatch.DocumentID]dispatch.DocumentFields{},
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
	sign := func(f *dispatch.DraftFields) {
		f.Sign, f.SignDocument, f.SignatureType, f.SignBy = true, "a", string(dispatch.SignatureAdvanced), "4.12.2026"
	}
	reply := dispatch.PostalFields{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	for name, tt := range map[string]struct {
		change func(*dispatch.DraftFields)
		want   dispatch.Problems
	}{
		"takes a good form":                      {func(*dispatch.DraftFields) {}, nil},
		"takes nobody's number":                  {func(f *dispatch.DraftFields) { f.Number = " " }, nil},
		"takes an organisation with blanks":      {func(f *dispatch.DraftFields) { f.RecipientKind, f.Number = KindOrganization, "974 760 673" }, nil},
		"reads the number by the kind":           {func(f *dispatch.DraftFields) { f.RecipientKind = KindOrganization }, problem("nummer", "problem.organization.length", dispatch.Args{"N": 11})},
		"tells of a wrong number once":           {func(f *dispatch.DraftFields) { f.Number, f.DigitalOnly = "12345", true }, problem("nummer", "problem.national_id.length", dispatch.Args{"N": 5})},
		"refuses postal code 123":                {func(f *dispatch.DraftFields) { f.PostalCode = "123" }, problem("postnummer", "problem.postal_code", nil)},
		"takes giro pages":                       {func(f *dispatch.DraftFields) { f.Documents["b"] = dispatch.DocumentFields{Giro: "2"} }, nil},
		"refuses giro page 9 of 3":               {func(f *dispatch.DraftFields) { f.Documents["a"] = dispatch.DocumentFields{Giro: "9"} }, problem("dok-a-giro", "problem.pages.range", dispatch.Args{"N": 3})},
		"refuses giro pages that are no numbers": {func(f *dispatch.DraftFields) { f.Documents["a"] = dispatch.DocumentFields{Giro: "siste"} }, problem("dok-a-giro", "problem.pages.unreadable", nil)},
		"takes signing":                          {sign, nil},
		"asks which file is to be signed":        {func(f *dispatch.DraftFields) { sign(f); f.SignDocument = "" }, problem("signer", "problem.sign.choose", nil)},
		"does not take another draft's file":     {func(f *dispatch.DraftFields) { sign(f); f.SignDocument = "c" }, problem("signer", "problem.sign.choose", nil)},
		"tells all that a signing lacks": {func(f *dispatch.DraftFields) { sign(f); f.SignDocument, f.Number, f.SignBy = "", "", "20.11.2026" }, dispatch.Problems{
			{Field: "signer", Key: "problem.sign.choose"}, {Field: "nummer", Key: "problem.sign.national_id"}, {Field: "frist", Key: "problem.sign.deadline"},
		}},
		"tells each of its fields once": {func(f *dispatch.DraftFields) { sign(f); f.SignDocument, f.Number, f.SignBy = "", "12345", "31.2.2026" }, dispatch.Problems{
			{Field: "nummer", Key: "problem.national_id.length", Args: dispatch.Args{"N": 5}}, {Field: "frist", Key: "problem.date.none"}, {Field: "signer", Key: "problem.sign.choose"},
		}},
		"refuses a deadline that is no day": {func(f *dispatch.DraftFields) { sign(f); f.SignBy = "31.2.2026" }, problem("frist", "problem.date.none", nil)},
		"refuses no deadline":               {func(f *dispatch.DraftFields) { sign(f); f.SignBy = "" }, problem("frist", "problem.sign.by", nil)},
		"refuses a deadline today":          {func(f *dispatch.DraftFields) { sign(f); f.SignBy = "20.11.2026" }, problem("frist", "problem.sign.deadline", nil)},
		"takes a deadline tomorrow night":   {func(f *dispatch.DraftFields) { sign(f); f.SignBy = "21.11.2026" }, nil},
		"forgets the rest when nothing is signed": {func(f *dispatch.DraftFields) {
			sign(f)
			f.Sign, f.SignBy = false, "i morgen"
		}, nil},
		"takes a reply address":                   {func(f *dispatch.DraftFields) { f.Reply, f.ReplyNumber = reply, "974 760 673" }, nil},
		"overlooks the reply's country alone":     {func(f *dispatch.DraftFields) { f.Reply.Country = "Norge" }, nil},
		"refuses a wrong person to reply to":      {func(f *dispatch.DraftFields) { f.Reply, f.ReplyNumber = reply, "128478 1008" }, problem("svar-nummer", "problem.national_id.length", dispatch.Args{"N": 10})},
		"takes a person to reply to":              {func(f *dispatch.DraftFields) { f.Reply, f.ReplyNumber = reply, "128478 10082" }, nil},
		"refuses a wrong number to reply to":      {func(f *dispatch.DraftFields) { f.Reply, f.ReplyNumber = reply, "12345" }, problem("svar-nummer", "problem.organization.length", dispatch.Args{"N": 5})},
		"refuses a reply address without a place": {func(f *dispatch.DraftFields) { f.Reply = reply; f.Reply.City = "" }, problem("svar-poststed", "problem.city.empty", nil)},
		"takes every other field":                 {func(f *dispatch.DraftFields) { *f = everyField() }, nil},
		"refuses a link to script": {func(f *dispatch.DraftFields) {
			f.Links = []dispatch.LinkFields{{URL: "https://a.example", Text: "a"}, {URL: "javascript:alert(1)", Text: "b"}}
		},
			problem("lenke-1-adresse", "problem.link.url", nil)},
		"refuses a link without a text": {func(f *dispatch.DraftFields) {
			f.Links = []dispatch.LinkFields{{URL: "https://a.example", Lead: "Les:"}}
		}, problem("lenke-0-tekst", "problem.link.text", nil)},
		"overlooks a link that is empty":        {func(f *dispatch.DraftFields) { f.Links = []dispatch.LinkFields{{Lead: " "}} }, nil},
		"refuses a reply link to nobody":        {func(f *dispatch.DraftFields) { f.ReplyLink = true }, problem("svarlenke", "problem.reply_link", nil)},
		"refuses a reply link to a post office": {func(f *dispatch.DraftFields) { f.ReplyLink, f.Reply = true, reply }, problem("svarlenke", "problem.reply_link", nil)},
		"asks for the address behind a number":  {func(f *dispatch.DraftFields) { f.Reply, f.ReplyNumber = reply, "974760673"; f.Reply.Line1 = "" }, problem("svar-adresse1", "problem.address.empty", nil)},
		"refuses to answer a case number":       {func(f *dispatch.DraftFields) { f.InReplyTo = "2026/12" }, problem("svar-pa", "problem.in_reply_to", nil)},
		"takes level 4 with encryption":         {func(f *dispatch.DraftFields) { f.Level4, f.Encrypt = true, true }, nil},
		"refuses level 4 without encryption":    {func(f *dispatch.DraftFields) { f.Level4 = true }, problem("niva4", "problem.level4.encryption", nil)},
		"refuses secrecy to a person":           {func(f *dispatch.DraftFields) { f.Confidential = true }, problem("taushetsbelagt", "problem.confidential.person", nil)},
		"tells which other is wrong":            {func(f *dispatch.DraftFields) { f.SharedWith = "974760673\n123" }, problem("eksponert", "problem.shared.length", dispatch.Args{"Line": 2})},
		"takes a check digit that is off":       {func(f *dispatch.DraftFields) { f.SharedWith, f.Reply, f.ReplyNumber = "974760674", reply, "974760674" }, nil},
		"refuses year 20267":                    {func(f *dispatch.DraftFields) { f.Case = dispatch.ArchiveFields{"saksaar": "20267"} }, problem("sak-saksaar", "problem.noark.year", nil)},
		"refuses a year in words":               {func(f *dispatch.DraftFields) { f.Import = dispatch.ArchiveFields{"saksaar": "i fjor"} }, problem("import-saksaar", "problem.noark.year", nil)},
		"refuses number 0":                      {func(f *dispatch.DraftFields) { f.Case = dispatch.ArchiveFields{"journalpost": "0"} }, problem("sak-journalpost", "problem.noark.number", nil)},
		"refuses too many digits":               {func(f *dispatch.DraftFields) { f.Case = dispatch.ArchiveFields{"sakssekvens": "99999999999999999999"} }, problem("sak-sakssekvens", "problem.noark.number", nil)},
		"refuses 31 February":                   {func(f *dispatch.DraftFields) { f.Case = dispatch.ArchiveFields{"journaldato": "31.02.2026"} }, problem("sak-journaldato", "problem.date.none", nil)},
		"refuses it of an import":               {func(f *dispatch.DraftFields) { f.Import = dispatch.ArchiveFields{"dokumentdato": "31.02.2026"} }, problem("import-dokumentdato", "problem.date.none", nil)},
		"refuses a pair without a sign":         {func(f *dispatch.DraftFields) { f.Case = dispatch.ArchiveFields{"ekstra": "Saksnr 12"} }, problem("sak-ekstra", "problem.entries", dispatch.Args{"Line": 1})},
		"refuses it of a file":                  {func(f *dispatch.DraftFields) { f.Documents["b"] = dispatch.DocumentFields{Extra: "a=b\n=c"} }, problem("dok-b-ekstra", "problem.entries", dispatch.Args{"Line": 2})},
		"refuses two left out of print": {func(f *dispatch.DraftFields) {
			f.Documents["a"], f.Documents["b"] = dispatch.DocumentFields{Exclude: true}, dispatch.DocumentFields{Exclude: true}
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

// everyField is a form to an organisation with every field filled except those of signing.
func everyField() dispatch.DraftFields {
	f := goodForm()
	f.RecipientKind, f.Number, f.Confidential = KindOrganization, "974760673", true
	f.Line2, f.Line3, f.BillingCode, f.ExternalReference, f.Color = " Oppgang B ", "3. etasje", " 4100-SFO ", " 2026/1234 ", true
	f.Type, f.SourceActor, f.CorrelationID, f.InReplyTo = " Byggesøknad ", "Avdeling A", "Sak 12", "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02"
	f.Reply = dispatch.PostalFields{Name: "Fjordvik", Line1: "Rådhuset", Line2: "B", Line3: "C", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	f.ReplyNumber, f.ReplyLink = "974 760 673", true
	f.Links = []dispatch.LinkFields{{Lead: "Klag her:", URL: " https://a.example/klage ", Text: " Klageskjema "}, {URL: "ftp://b.example", Text: "Filer"}, {}}
	f.SharedWith = "020132 99997\n974760673"
	f.Documents["a"] = dispatch.DocumentFields{Giro: "2; 1", Type: " Vedtak ", Sensitive: true, Extra: "Arkivnr = 7"}
	f.Case = dispatch.ArchiveFields{
		"saksaar": "2026", "sakssekvens": "12", "journalaar": "2025", "journalsekvens": "3", "journalpost": "4", "posttype": "U", "journalstatus": "J",
		"journaldato": "20.11.2026", "dokumentdato": "19.11.2026", "tittel": "Klage", "saksbehandler": "Kari", "mappe": "m", "mappesystem": "ms", "system": "s",
		"registrering": "r", "ekstra": "Skole = Nord",
	}
	f.Import = dispatch.ArchiveFields{
		"saksaar": "2024", "sakssekvens": "5", "journalaar": "2023", "journalsekvens": "6", "journalpost": "7", "posttype": "I", "journalstatus": "M",
		"dokumentdato": "18.11.2026", "tittel": "Svar", "mappe": "n", "mappesystem": "ns", "system": "t", "registrering": "q",
	}
	return f
}

// everyFieldRead is everyField, parsed.
func everyFieldRead() dispatch.Shipment {
	files := formFiles()
	files[0].GiroPages, files[0].Type, files[0].Sensitive, files[0].Extra = []int{1, 2}, "Vedtak", true, []dispatch.Entry{{Key: "Arkivnr", Value: "7"}}
	organization := dispatch.DigitalAddress{OrganizationNumber: "974760673"}
	at := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, views.Oslo) }
	return dispatch.Shipment{
		Recipient: dispatch.Address{Digital: organization, Postal: dispatch.PostalAddress{
			Name: "Ola Nordmann", Line1: "Storgata 1", Line2: "Oppgang B", Line3: "3. etasje", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
		Title: "Vedtak", SourceSystem: "Utsending", SourceActor: "Avdeling A", BillingCode: "4100-SFO", ExternalReference: "2026/1234", CorrelationID: "Sak 12",
		Type: "Byggesøknad", InReplyTo: "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02", Confidential: true, ReplyLink: true,
		Print: dispatch.PrintOptions{Duplex: true, Color: true}, Documents: files,
		ReplyTo: &dispatch.Address{Digital: organization, Postal: dispatch.PostalAddress{
			Name: "Fjordvik", Line1: "Rådhuset", Line2: "B", Line3: "C", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
		Links:      []dispatch.Link{{URL: "https://a.example/klage", Text: "Klageskjema", Lead: "Klag her:"}, {URL: "ftp://b.example", Text: "Filer"}},
		SharedWith: []dispatch.DigitalAddress{{NationalID: "02013299997"}, organization},
		Case: &dispatch.CaseMetadata{
			CaseYear: 2026, CaseSequence: 12, JournalYear: 2025, JournalSequence: 3, JournalPost: 4, JournalPostType: "U", JournalStatus: "J",
			JournalDate: at(20), DocumentDate: at(19), Title: "Klage", Caseworker: "Kari", FolderID: "m", FolderSystemID: "ms", SystemID: "s", RegistrationID: "r",
			Extra: []dispatch.Entry{{Key: "Skole", Value: "Nord"}},
		},
		Import: &dispatch.ImportMetadata{
			CaseYear: 2024, CaseSequence: 5, JournalYear: 2023, JournalSequence: 6, JournalPost: 7, JournalPostType: "I", JournalStatus: "M",
			DocumentDate: at(18), Title: "Svar", FolderID: "n", FolderSystemID: "ns", SystemID: "t", RegistrationID: "q",
		},
	}
}

func TestShipmentFormParsesEveryField(t *testing.T) {
	t.Parallel()
	got, ps := everyField().Parse(dispatch.V2, formFiles(), formNow)
	if diff := cmp.Diff(got, everyFieldRead(), cmpopts.EquateEmpty()); diff != "" || len(ps) > 0 {
		t.Errorf("problems %v; got - want +:\n%s", ps, diff)
	}
}

func TestActsOnLinks(t *testing.T) {
	t.Parallel()
	for button, want := range map[string]string{
		"": "abc", "lenke-opp-1": "bac", "lenke-ned-1": "acb", "lenke-fjern-1": "ac", "lenke-ny": "abc ", "lenke-opp-0": "abc", "lenke-ned-2": "abc",
		"lenke-fjern-9": "abc", "lenke-opp--1": "abc", "lenke-opp-x": "abc", "lagre": "abc",
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			f := dispatch.DraftFields{Links: []dispatch.LinkFields{{Text: "a"}, {Text: "b"}, {Text: "c"}, {}}}
			ActOnLinks(&f, button)
			got := ""
			for _, l := range f.Links {
				got += views.OrText(l.Text, " ")
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestNewShipmentFormHasTheDefaultsOfTheAccount(t *testing.T) {
	t.Parallel()
	a := dispatch.Account{SourceSystem: "Utsending", BillingCode: "4100", Archive: dispatch.ArchiveDefaults{CasePostType: "U", ImportStatus: "M"}}
	a.Reply = dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"},
		Postal: dispatch.PostalAddress{Name: "Fjordvik", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}
	s, _ := NewShipmentForm(a).Parse(dispatch.V1, nil, formNow)
	if s.ReplyTo == nil || *s.ReplyTo != a.Reply || s.Case == nil || s.Case.JournalPostType != "U" || s.Import == nil || s.Import.JournalStatus != "M" {
		t.Errorf("got %+v", s)
	}
	s, _ = NewShipmentForm(dispatch.Account{}).Parse(dispatch.V1, nil, formNow)
	if s.ReplyTo != nil || s.Case != nil || s.Import != nil {
		t.Errorf("without defaults: got %+v", s)
	}
}

func TestNotesOfOddNumbers(t *testing.T) {
	t.Parallel()
	p := ShipmentFormPage{Form: everyField()}
	for name, change := range map[string]func(){
		"nummer": func() { p.Form.Number = "974760674" }, "svar-nummer": func() { p.Form.ReplyNumber = "974760674" }, "eksponert": func() { p.Form.SharedWith = "02013299997\n02013299998" },
	} {
		p.Form = everyField()
		if got := p.note(name); got != "" {
			t.Errorf("%s: got %q of a number that fits", name, got)
		}
		change()
		if got := p.note(name); got != "shipment.check_digits."+name {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestShipmentFormParsesTheWhole(t *testing.T) {
	t.Parallel()
	f := goodForm()
	f.Line2, f.BillingCode, f.ExternalReference, f.Color = " Oppgang B ", " 4100-SFO ", " 2026/1234 ", true
	f.Sign, f.SignDocument, f.SignatureType, f.SignBy = true, "b", string(dispatch.SignatureAuthenticated), "04122026"
	f.Documents["b"] = dispatch.DocumentFields{Giro: "2; 1", Type: " Faktura ", Sensitive: true}
	f.Reply, f.ReplyNumber = dispatch.PostalFields{Name: "Fjordvik", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}, "974760673"
	files := formFiles()
	second := files[1]
	second.GiroPages, second.Type, second.Sensitive, second.Sign = []int{1, 2}, "Faktura", true, true
	want := dispatch.Shipment{
		Recipient: dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "02013299997"}, Postal: dispatch.PostalAddress{
			Name: "Ola Nordmann", Line1: "Storgata 1", Line2: "Oppgang B", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
		Title: "Vedtak", SourceSystem: "Utsending", BillingCode: "4100-SFO", ExternalReference: "2026/1234",
		Print: dispatch.PrintOptions{Duplex: true, Color: true}, Documents: []dispatch.Document{files[0], second},
		SignatureType: dispatch.SignatureAuthenticated, SignBy: time.Date(2026, 12, 4, 23, 59, 59, 0, views.Oslo),
		ReplyTo: &dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}, Postal: dispatch.PostalAddress{
			Name: "Fjordvik", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}},
	}
	got, ps := f.Parse(dispatch.V1, files, formNow)
	if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" || len(ps) > 0 {
		t.Errorf("problems %v; got - want +:\n%s", ps, diff)
	}
}

// TestSignable: PDFs are offered for signing, and the file chosen before.
func TestSignable(t *testing.T) {
	t.Parallel()
	files := []dispatch.Document{{ID: "a", MimeType: dispatch.MimePDF}, {ID: "b", MimeType: "text/xml"}, {ID: "c", MimeType: dispatch.MimePDF}}
	for chosen, want := range map[string]string{"": "ac", "a": "ac", "b": "abc"} {
		got := ""
		for _, d := range (ShipmentFormPage{Documents: files, Form: dispatch.DraftFields{SignDocument: chosen}}).signable() {
			got += string(d.ID)
		}
		if got != want {
			t.Errorf("%q chosen: got %s, want %s", chosen, got, want)
		}
	}
}

// TestDeliveryOfAList: the summary of a draft to many tells who gets it on paper only.
func TestDeliveryOfAList(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	const digital, paper = "Leveres digitalt, ellers på papir: ensidig, svart-hvitt.", "Skrives ut og sendes i posten: ensidig, svart-hvitt."
	for name, tt := range map[string]struct {
		numberless int
		only       bool
		want       string
	}{
		"all have a number": {0, false, digital},
		"one has none":      {1, false, digital + " 1 av mottakerne har ikke nummer i listen og får brevet bare på papir."},
		"nobody has one":    {3, false, paper},
		"never on paper":    {1, true, "Leveres bare digitalt og skrives aldri ut."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := ShipmentFormPage{Many: 3, Valid: 3, Numberless: tt.numberless}
			if got := p.deliveryLine(ctx, dispatch.Shipment{DigitalOnly: tt.only}); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestSignHint: the reply address is named where the generation or the account's rules demand it.
func TestSignHint(t *testing.T) {
	t.Parallel()
	warns := dispatch.DefaultPrintRules()
	warns.Chosen = map[dispatch.Check]dispatch.Severity{dispatch.CheckSignReply: dispatch.SeverityWarning}
	for name, test := range map[string]struct {
		over  dispatch.IntegrationKind
		rules *dispatch.PrintRules
		want  string
	}{
		"by the rules for all":  {dispatch.IntegrationShipmentV2, nil, "shipment.sign.hint.reply"},
		"by the generation":     {dispatch.IntegrationShipmentV3, &warns, "shipment.sign.hint.reply"},
		"by neither of the two": {dispatch.IntegrationShipmentV2, &warns, "shipment.sign.hint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := ShipmentFormPage{}
			p.Account.ShipmentKind, p.Account.PrintRules = test.over, test.rules
			if got := p.signHint(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
