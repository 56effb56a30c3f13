package dispatch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
)

var shipmentNow = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// pdf is a document that can be printed.
func pdf(id, name string) dispatch.Document {
	return dispatch.Document{ID: dispatch.DocumentID(id), FileName: name, MimeType: dispatch.MimePDF, Size: 1000, Pages: 3}
}

// goodShipment can be sent as it is.
func goodShipment() dispatch.Shipment {
	return dispatch.Shipment{
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Ola Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "02013299997"},
		},
		SourceSystem: "Utsending", Title: "Vedtak", Documents: []dispatch.Document{pdf("a", "vedtak.pdf")},
	}
}

// shipmentCase is one change of a good shipment, and the problem that it makes; none when the field is empty.
type shipmentCase struct {
	change     func(*dispatch.Shipment)
	field, key string
	args       dispatch.Args
}

func checkShipments(t *testing.T, tests map[string]shipmentCase) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := goodShipment()
			tt.change(&s)
			var want dispatch.Problems
			if tt.field != "" {
				want = dispatch.Problems{{Field: tt.field, Key: tt.key, Args: tt.args}}
			}
			got := s.Validate(shipmentNow, dispatch.V1)
			if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestValidateShipmentNumber(t *testing.T) {
	t.Parallel()
	digital := func(d dispatch.DigitalAddress) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.Recipient.Digital = d }
	}
	checkShipments(t, map[string]shipmentCase{
		"takes a national id":                       {change: digital(dispatch.DigitalAddress{NationalID: "02013299997"})},
		"takes check digits that do not fit":        {change: digital(dispatch.DigitalAddress{NationalID: "02013299998"})},
		"takes an organisation":                     {change: digital(dispatch.DigitalAddress{OrganizationNumber: "974760673"})},
		"takes an organisation's digit that is off": {change: digital(dispatch.DigitalAddress{OrganizationNumber: "974760674"})},
		"takes nobody's number when it is printed":  {change: digital(dispatch.DigitalAddress{})},
		"refuses both numbers":                      {digital(dispatch.DigitalAddress{NationalID: "02013299997", OrganizationNumber: "974760673"}), "nummer", "problem.shipment.both_numbers", nil},
		"refuses a national id that is too short":   {digital(dispatch.DigitalAddress{NationalID: "0201329999"}), "nummer", "problem.national_id.length", dispatch.Args{"N": 10}},
		"refuses a national id with a letter":       {digital(dispatch.DigitalAddress{NationalID: "0201329999x"}), "nummer", "problem.national_id.digits", nil},
		"refuses an organisation that is too long":  {digital(dispatch.DigitalAddress{OrganizationNumber: "9747606730"}), "nummer", "problem.organization.length", dispatch.Args{"N": 10}},
		"refuses an organisation with a letter":     {digital(dispatch.DigitalAddress{OrganizationNumber: "97476067x"}), "nummer", "problem.organization.digits", nil},
		"refuses digital only without a number":     {func(s *dispatch.Shipment) { s.DigitalOnly, s.Recipient.Digital = true, dispatch.DigitalAddress{} }, "nummer", "problem.shipment.digital_number", nil},
		"takes digital only to an organisation": {change: func(s *dispatch.Shipment) {
			s.DigitalOnly, s.Recipient.Digital = true, dispatch.DigitalAddress{OrganizationNumber: "974760673"}
		}},
		"takes digital only to a person of a number": {change: func(s *dispatch.Shipment) { s.DigitalOnly = true }},
	})
}

func TestValidateShipmentPostalAddress(t *testing.T) {
	t.Parallel()
	postal := func(change func(*dispatch.PostalAddress)) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { change(&s.Recipient.Postal) }
	}
	digital := func(a dispatch.PostalAddress) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.DigitalOnly, s.Recipient.Postal = true, a }
	}
	checkShipments(t, map[string]shipmentCase{
		"refuses no name":                            {postal(func(a *dispatch.PostalAddress) { a.Name = "" }), "navn", "problem.name.empty", nil},
		"refuses a name of blanks":                   {postal(func(a *dispatch.PostalAddress) { a.Name = " \t" }), "navn", "problem.name.empty", nil},
		"refuses a name nobody can see":              {postal(func(a *dispatch.PostalAddress) { a.Name = "\u200b" }), "navn", "problem.name.empty", nil},
		"refuses no address line":                    {postal(func(a *dispatch.PostalAddress) { a.Line1 = "" }), "adresse1", "problem.address.empty", nil},
		"refuses an address line of blanks":          {postal(func(a *dispatch.PostalAddress) { a.Line1 = "  " }), "adresse1", "problem.address.empty", nil},
		"takes the third line alone":                 {change: postal(func(a *dispatch.PostalAddress) { a.Line1, a.Line3 = "", "Postboks 1" })},
		"refuses no postal code":                     {postal(func(a *dispatch.PostalAddress) { a.PostalCode = "" }), "postnummer", "problem.postal_code.empty", nil},
		"refuses a postal code of three digits":      {postal(func(a *dispatch.PostalAddress) { a.PostalCode = "123" }), "postnummer", "problem.postal_code", nil},
		"refuses a postal code of five digits":       {postal(func(a *dispatch.PostalAddress) { a.PostalCode = "12345" }), "postnummer", "problem.postal_code", nil},
		"refuses a postal code with a letter":        {postal(func(a *dispatch.PostalAddress) { a.PostalCode = "77l3" }), "postnummer", "problem.postal_code", nil},
		"refuses a postal code with a line break":    {postal(func(a *dispatch.PostalAddress) { a.PostalCode = "7713\n" }), "postnummer", "problem.postal_code", nil},
		"takes a postal code that begins with zero":  {change: postal(func(a *dispatch.PostalAddress) { a.PostalCode = "0001" })},
		"refuses no city":                            {postal(func(a *dispatch.PostalAddress) { a.City = " " }), "poststed", "problem.city.empty", nil},
		"refuses no country":                         {postal(func(a *dispatch.PostalAddress) { a.Country = "" }), "land", "problem.country.empty", nil},
		"takes Noreg and holds it for Norway":        {postal(func(a *dispatch.PostalAddress) { a.Country, a.PostalCode = "NOREG ", "123" }), "postnummer", "problem.postal_code", nil},
		"takes a code of letters abroad":             {change: postal(func(a *dispatch.PostalAddress) { a.Country, a.PostalCode = "Storbritannia", "SW1A 1AA" })},
		"takes five digits in Sweden":                {change: postal(func(a *dispatch.PostalAddress) { a.Country, a.PostalCode = "Sverige", "111 22" })},
		"refuses no code abroad":                     {postal(func(a *dispatch.PostalAddress) { a.Country, a.PostalCode = "Sverige", "" }), "postnummer", "problem.postal_code.empty", nil},
		"takes a name alone when digital only":       {change: digital(dispatch.PostalAddress{Name: "Ola Nordmann"})},
		"refuses no name even when digital only":     {digital(dispatch.PostalAddress{}), "navn", "problem.name.empty", nil},
		"refuses a wrong code even when digital":     {digital(dispatch.PostalAddress{Name: "Ola", PostalCode: "123"}), "postnummer", "problem.postal_code", nil},
		"takes a foreign code when digital only":     {change: digital(dispatch.PostalAddress{Name: "Ola", PostalCode: "111 22", Country: "Sverige"})},
		"takes an address that is whole and digital": {change: func(s *dispatch.Shipment) { s.DigitalOnly = true }},
	})
}

func TestValidateShipmentTexts(t *testing.T) {
	t.Parallel()
	checkShipments(t, map[string]shipmentCase{
		"refuses no title":                 {func(s *dispatch.Shipment) { s.Title = "" }, "tittel", "problem.title.empty", nil},
		"refuses a title nobody can see":   {func(s *dispatch.Shipment) { s.Title = "\u200b\u2060 \u202e" }, "tittel", "problem.title.empty", nil},
		"takes a title of one emoji":       {change: func(s *dispatch.Shipment) { s.Title = "👩\u200d👧" }},
		"refuses a title of blanks":        {func(s *dispatch.Shipment) { s.Title = "\u00a0 " }, "tittel", "problem.title.empty", nil},
		"takes a title of 1000 characters": {change: func(s *dispatch.Shipment) { s.Title = strings.Repeat("ø", 1000) }},
		"refuses a title of 1001":          {func(s *dispatch.Shipment) { s.Title = strings.Repeat("ø", 1001) }, "tittel", "problem.title.long", dispatch.Args{"N": 1001}},
		"refuses no delivering system":     {func(s *dispatch.Shipment) { s.SourceSystem = " " }, "avgivende", "problem.source_system.empty", nil},
	})
}

func TestValidateShipmentBillingCode(t *testing.T) {
	t.Parallel()
	for code, tt := range map[string]struct{ v1, v2 bool }{
		"":                     {true, true},
		"4100-SFO.ÆØÅæøå":      {true, true},
		"12345678901234567890": {true, true},
		"øøøøøøøøøøøøøøøøøøøø":   {true, true},
		"123456789012345678901":  {false, false},
		"4100 SFO":               {false, false},
		"4100_SFO":               {false, true},
		"4100/SFO":               {false, false},
		"4100\n":                 {false, false},
		"_":                      {false, true},
		"1234567890123456789_":   {false, true},
		"12345678901234567890_1": {false, false},
		"é":                      {false, false},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			s := goodShipment()
			s.BillingCode = code
			for g, fine := range map[dispatch.Generation]bool{dispatch.V1: tt.v1, dispatch.V2: tt.v2} {
				var want dispatch.Problems
				if !fine {
					want = dispatch.Problems{{Field: "kontering", Key: "problem.billing_code"}}
				}
				if diff := cmp.Diff(s.Validate(shipmentNow, g), want, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("V%d: got - want +:\n%s", g, diff)
				}
			}
		})
	}
}

func TestValidateLengths(t *testing.T) {
	t.Parallel()
	links := func(n int) []dispatch.Link {
		return slices.Repeat([]dispatch.Link{{URL: "https://fjordvik.example", Text: "Les mer"}}, n)
	}
	for name, tt := range map[string]shipmentCase{
		"a system of 100 characters":    {change: func(s *dispatch.Shipment) { s.SourceSystem = strings.Repeat("å", 100) }},
		"a system of 101 characters":    {change: func(s *dispatch.Shipment) { s.SourceSystem = strings.Repeat("å", 101) }, field: "avgivende", key: "problem.source_system.long"},
		"a reference of 100 characters": {change: func(s *dispatch.Shipment) { s.ExternalReference = strings.Repeat("å", 100) }},
		"a reference of 101 characters": {change: func(s *dispatch.Shipment) { s.ExternalReference = strings.Repeat("å", 101) }, field: "referanse", key: "problem.reference.long"},
		"a type of 101 characters":      {change: func(s *dispatch.Shipment) { s.Type = strings.Repeat("å", 101) }, field: "type", key: "problem.type.long"},
		"an id of 101 characters":       {change: func(s *dispatch.Shipment) { s.CorrelationID = strings.Repeat("å", 101) }, field: "korrelasjon", key: "problem.correlation.long"},
		"five links":                    {change: func(s *dispatch.Shipment) { s.Links = links(5) }},
		"six links":                     {change: func(s *dispatch.Shipment) { s.Links = links(6) }, field: "lenker", key: "problem.links.many"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := goodShipment()
			tt.change(&s)
			var want dispatch.Problems
			if tt.field != "" {
				want = dispatch.Problems{{Field: tt.field, Key: tt.key}}
			}
			if diff := cmp.Diff(s.Validate(shipmentNow, dispatch.V2), want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("V2: got - want +:\n%s", diff)
			}
			if tt.field == "lenker" {
				want = nil // V1 takes any number of links
			}
			if diff := cmp.Diff(s.Validate(shipmentNow, dispatch.V1), want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("V1: got - want +:\n%s", diff)
			}
		})
	}
}

func TestValidateShipmentDocuments(t *testing.T) {
	t.Parallel()
	documents := func(change func(*dispatch.Document), digitalOnly bool) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) {
			s.DigitalOnly = digitalOnly
			change(&s.Documents[0])
		}
	}
	printed := func(change func(*dispatch.Document)) func(*dispatch.Shipment) { return documents(change, false) }
	digital := func(change func(*dispatch.Document)) func(*dispatch.Shipment) { return documents(change, true) }
	found := func(p dispatch.DocumentProblem) func(*dispatch.Document) {
		return func(d *dispatch.Document) { d.Found = p }
	}
	text := func(d *dispatch.Document) {
		d.FileName, d.MimeType, d.Pages, d.Found = "vedlegg.txt", "text/plain", 0, dispatch.DocumentNotPDF
	}
	giro := func(pages ...int) func(*dispatch.Document) {
		return func(d *dispatch.Document) { d.GiroPages = pages }
	}
	called := func(d *dispatch.Document) { d.FileName, d.MimeType = "vedtak.PDF", "text/plain" }
	size := func(n int64) func(*dispatch.Document) { return func(d *dispatch.Document) { d.Size = n } }
	// excluded lets a second file be printed instead of the first.
	excluded := func(change func(*dispatch.Document)) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) {
			s.Documents = append(s.Documents, pdf("b", "følgebrev.pdf"))
			s.Documents[0].ExcludeFromPrint = true
			change(&s.Documents[0])
		}
	}
	vedtak, vedlegg, range3 := dispatch.Args{"Name": "vedtak.pdf"}, dispatch.Args{"Name": "vedlegg.txt"}, dispatch.Args{"N": 3}
	checkShipments(t, map[string]shipmentCase{
		"refuses no files":                       {func(s *dispatch.Shipment) { s.Documents = nil }, "dokumenter", "problem.documents.none", nil},
		"refuses no files when digital only":     {func(s *dispatch.Shipment) { s.Documents, s.DigitalOnly = nil, true }, "dokumenter", "problem.documents.none", nil},
		"refuses zero bytes":                     {printed(size(0)), "dok-a", "problem.file.empty", vedtak},
		"refuses zero bytes when digital only":   {digital(size(0)), "dok-a", "problem.file.empty", vedtak},
		"refuses what was found to be empty":     {digital(found(dispatch.DocumentEmpty)), "dok-a", "problem.file.empty", vedtak},
		"refuses to print a text":                {printed(text), "dok-a", "problem.file.type", vedlegg},
		"takes a text when digital only":         {change: digital(text)},
		"refuses to print a text called .PDF":    {printed(called), "dok-a", "problem.file.not_pdf", dispatch.Args{"Name": "vedtak.PDF"}},
		"refuses it when digital only":           {digital(called), "dok-a", "problem.file.not_pdf", dispatch.Args{"Name": "vedtak.PDF"}},
		"refuses it where it is left out":        {excluded(called), "dok-a", "problem.file.not_pdf", dispatch.Args{"Name": "vedtak.PDF"}},
		"takes a text that is left out of print": {change: excluded(text)},
		"refuses a password":                     {printed(found(dispatch.DocumentPassword)), "dok-a", "problem.file.password", vedtak},
		"refuses a password on what is left out": {excluded(found(dispatch.DocumentPassword)), "dok-a", "problem.file.password", vedtak},
		"takes a password when digital only":     {change: digital(found(dispatch.DocumentPassword))},
		"refuses to print what is broken":        {printed(found(dispatch.DocumentBroken)), "dok-a", "problem.file.broken", vedtak},
		"refuses to print what takes for ever":   {printed(found(dispatch.DocumentTooSlow)), "dok-a", "problem.file.too_slow", vedtak},
		"refuses to print what is too large":     {printed(found(dispatch.DocumentTooLarge)), "dok-a", "problem.file.too_large", vedtak},
		"takes what is broken when digital only": {change: digital(found(dispatch.DocumentBroken))},
		"takes what loops when digital only":     {change: digital(found(dispatch.DocumentTooSlow))},
		"takes what is broken and left out":      {change: excluded(found(dispatch.DocumentBroken))},
		"refuses to print nothing":               {func(s *dispatch.Shipment) { s.Documents[0].ExcludeFromPrint = true }, "dokumenter", "problem.documents.nothing_printed", nil},
		"takes all left out when digital only":   {change: digital(func(d *dispatch.Document) { d.ExcludeFromPrint = true })},
		"takes 350 000 000 bytes":                {change: printed(size(350_000_000))},
		"refuses 350 000 001 bytes":              {printed(size(350_000_001)), "dokumenter", "problem.documents.size", nil},
		"counts what is left out of print":       {excluded(size(350_000_000)), "dokumenter", "problem.documents.size", nil},
		"takes 350 000 001 bytes digitally":      {change: digital(size(350_000_001))},
		"takes giro page 3 of 3":                 {change: printed(giro(3))},
		"takes every page as giro":               {change: printed(giro(1, 2, 3))},
		"refuses giro page 9 of 3":               {printed(giro(9)), "dok-a-giro", "problem.pages.range", range3},
		"refuses giro pages 2 and 4 of 3":        {printed(giro(2, 4)), "dok-a-giro", "problem.pages.range", range3},
		"refuses giro page 0":                    {printed(giro(0, 2)), "dok-a-giro", "problem.pages.range", range3},
		"refuses giro page 9 of 3 when digital":  {digital(giro(9)), "dok-a-giro", "problem.pages.range", range3},
		"refuses no file name":                   {printed(func(d *dispatch.Document) { d.FileName = "" }), "dok-a", "problem.file.name_empty", nil},
	})
}

func TestValidateFileName(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{
		"vedtak.pdf":                      "",
		"Vedtak om plass – Ål.pdf":        "",
		"faktura (2) & [kopi].pdf":        "",
		"søknad😀.pdf":                     "",
		strings.Repeat("ø", 222) + ".pdf": "",
		strings.Repeat("ø", 223) + ".pdf": "problem.file.name",
		strings.Repeat("😀", 111) + ".pdf": "",
		strings.Repeat("😀", 112) + ".pdf": "problem.file.name",
		"12:30.pdf":                       "problem.file.name",
		"mappe/vedtak.pdf":                "problem.file.name",
		`C:\vedtak.pdf`:                   "problem.file.name",
		`..\vedtak.pdf`:                   "problem.file.name",
		"vedtak?.pdf":                     "problem.file.name",
		"vedtak*.pdf":                     "problem.file.name",
		`"vedtak".pdf`:                    "problem.file.name",
		"<vedtak>.pdf":                    "problem.file.name",
		"a|b.pdf":                         "problem.file.name",
		"vedtak\n.pdf":                    "problem.file.name",
		"vedtak\x00.pdf":                  "problem.file.name",
		"vedtak\x7f.pdf":                  "problem.file.name",
		"vedtak\xff.pdf":                  "problem.file.name",
		"forsendelse":                     "problem.file.name",
		"Forsendelse":                     "problem.file.name",
		"forsendelse.pdf":                 "",
		"":                                "problem.file.name_empty",
		"  ":                              "problem.file.name_empty",
		".":                               "problem.file.name_empty",
		"..":                              "problem.file.name_empty",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if p := dispatch.ValidateFileName("fil", name); p != nil {
				if got = p.Key; p.Field != "fil" {
					t.Errorf("got field %q, want fil", p.Field)
				}
			}
			if got != key {
				t.Errorf("got %q, want %q", got, key)
			}
		})
	}
}

func TestValidateShipmentSameFileName(t *testing.T) {
	t.Parallel()
	for second, same := range map[string]bool{
		"vedtak.pdf": true, "VEDTAK.PDF": true, "Vedtak.pdf": true, "vedtak2.pdf": false, "vedtak.pdf ": false,
	} {
		s := goodShipment()
		s.Documents = append(s.Documents, pdf("b", second))
		var want dispatch.Problems
		if same {
			want = dispatch.Problems{{Field: "dok-b", Key: "problem.file.duplicate", Args: dispatch.Args{"Name": second}}}
		}
		if diff := cmp.Diff(s.Validate(shipmentNow, dispatch.V1), want, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: got - want +:\n%s", second, diff)
		}
	}
	if !dispatch.SameFileName("SØKNAD ÆÅ.pdf", "søknad æå.PDF") {
		t.Error("letters outside ASCII are compared with regard to case")
	}
}

func TestValidateShipmentSigning(t *testing.T) {
	t.Parallel()
	signed := func(change func(*dispatch.Shipment)) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) {
			s.Documents[0].Sign, s.SignatureType, s.SignBy = true, dispatch.SignatureAuthenticated, shipmentNow.Add(72*time.Hour)
			change(s)
		}
	}
	by := func(at time.Time) func(*dispatch.Shipment) {
		return signed(func(s *dispatch.Shipment) { s.SignBy = at })
	}
	text := dispatch.Document{ID: "b", FileName: "vedlegg.txt", MimeType: "text/plain", Size: 10, Sign: true}
	checkShipments(t, map[string]shipmentCase{
		"takes one to sign":           {change: signed(func(*dispatch.Shipment) {})},
		"takes an advanced signature": {change: signed(func(s *dispatch.Shipment) { s.SignatureType = dispatch.SignatureAdvanced })},
		"refuses two to sign": {signed(func(s *dispatch.Shipment) {
			d := pdf("b", "b.pdf")
			d.Sign = true
			s.Documents = append(s.Documents, d)
		}), "signer", "problem.sign.several", nil},
		"refuses to sign a text": {signed(func(s *dispatch.Shipment) { s.Documents, s.DigitalOnly = []dispatch.Document{text}, true }), "signer", "problem.sign.pdf", dispatch.Args{"Name": "vedlegg.txt"}},
		"refuses nobody to sign": {signed(func(s *dispatch.Shipment) { s.Recipient.Digital = dispatch.DigitalAddress{} }), "nummer", "problem.sign.national_id", nil},
		"refuses an organisation": {signed(func(s *dispatch.Shipment) {
			s.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "974760673"}
		}), "nummer", "problem.sign.national_id", nil},
		"refuses no type":                {signed(func(s *dispatch.Shipment) { s.SignatureType = "" }), "signatur", "problem.sign.type", nil},
		"refuses a type that is unknown": {signed(func(s *dispatch.Shipment) { s.SignatureType = "avansert_signatur" }), "signatur", "problem.sign.type", nil},
		"refuses no deadline":            {by(time.Time{}), "frist", "problem.sign.deadline", nil},
		"refuses a deadline tonight":     {by(time.Date(2026, 11, 20, 22, 59, 59, 0, time.UTC)), "frist", "problem.sign.deadline", nil},
		"refuses a deadline in 23 hours": {by(shipmentNow.Add(23 * time.Hour)), "frist", "problem.sign.deadline", nil},
		"takes a deadline in 24 hours":   {change: by(shipmentNow.Add(24 * time.Hour))},
		"takes a deadline in 25 hours":   {change: by(shipmentNow.Add(25 * time.Hour))},
		"refuses a deadline a day after now, 23 hours after it goes": {signed(func(s *dispatch.Shipment) {
			s.SendAt, s.SignBy = shipmentNow.Add(2*time.Hour), shipmentNow.Add(25*time.Hour)
		}), "frist", "problem.sign.deadline_planned", nil},
		"takes a deadline 24 hours after it goes": {change: signed(func(s *dispatch.Shipment) {
			s.SendAt, s.SignBy = shipmentNow.Add(time.Hour), shipmentNow.Add(25*time.Hour)
		})},
		"refuses a deadline yesterday":                           {by(shipmentNow.Add(-24 * time.Hour)), "frist", "problem.sign.deadline", nil},
		"asks nothing of an old deadline when nothing is signed": {change: func(s *dispatch.Shipment) { s.SignBy = shipmentNow.Add(-time.Hour) }},
	})
}

func TestValidateShipmentReply(t *testing.T) {
	t.Parallel()
	reply := func(change func(*dispatch.Address)) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) {
			a := dispatch.Address{Postal: dispatch.PostalAddress{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}
			change(&a)
			s.ReplyTo = &a
		}
	}
	link := func(then func(*dispatch.Shipment)) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { then(s); s.ReplyLink = true }
	}
	number := func(n dispatch.OrganizationNumber) func(*dispatch.Shipment) {
		return reply(func(a *dispatch.Address) { a.Digital.OrganizationNumber = n })
	}
	checkShipments(t, map[string]shipmentCase{
		"takes a whole address":                {change: reply(func(*dispatch.Address) {})},
		"refuses an address without name":      {reply(func(a *dispatch.Address) { a.Postal.Name = "" }), "svar-navn", "problem.name.empty", nil},
		"refuses an address without line":      {reply(func(a *dispatch.Address) { a.Postal.Line1 = "" }), "svar-adresse1", "problem.address.empty", nil},
		"refuses an address without code":      {reply(func(a *dispatch.Address) { a.Postal.PostalCode = "" }), "svar-postnummer", "problem.postal_code.empty", nil},
		"refuses an address with a wrong code": {reply(func(a *dispatch.Address) { a.Postal.PostalCode = "77" }), "svar-postnummer", "problem.postal_code", nil},
		"refuses an address without city":      {reply(func(a *dispatch.Address) { a.Postal.City = "" }), "svar-poststed", "problem.city.empty", nil},
		"refuses an address without country":   {reply(func(a *dispatch.Address) { a.Postal.Country = "" }), "svar-land", "problem.country.empty", nil},
		"asks for all of it when digital only too": {func(s *dispatch.Shipment) {
			reply(func(a *dispatch.Address) { a.Postal.City = "" })(s)
			s.DigitalOnly = true
		}, "svar-poststed", "problem.city.empty", nil},
		"refuses a reply link to nobody":        {link(func(*dispatch.Shipment) {}), "svarlenke", "problem.reply_link", nil},
		"refuses a reply link to paper":         {link(reply(func(*dispatch.Address) {})), "svarlenke", "problem.reply_link", nil},
		"refuses a reply link to a half number": {link(number("12345")), "svarlenke", "problem.reply_link", nil},
		"takes a reply link to a number":        {change: link(number("974760673"))},
		"takes the id of another shipment":      {change: func(s *dispatch.Shipment) { s.InReplyTo = "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02" }},
		"refuses what is no id":                 {func(s *dispatch.Shipment) { s.InReplyTo = "2026/12" }, "svar-pa", "problem.in_reply_to", nil},
		"refuses a half number to reply to":     {number("12345"), "svar-nummer", "problem.organization.length", dispatch.Args{"N": 5}},
	})
}

func TestValidateShipmentTellsEverything(t *testing.T) {
	t.Parallel()
	var got []string
	for _, p := range (dispatch.Shipment{RequireLevel4: true, ReplyLink: true}).Validate(shipmentNow, dispatch.V1) {
		got = append(got, p.Field)
	}
	want := []string{"navn", "adresse1", "postnummer", "poststed", "land", "svarlenke", "tittel", "dokumenter", "avgivende", "niva4"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +, in the order of the form:\n%s", diff)
	}
}
