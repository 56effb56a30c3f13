package dispatch

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// letter is a shipment that every generation takes.
func letter(change func(*Shipment)) Shipment {
	s := Shipment{
		Title: "Vedtak", SourceSystem: "Utsending",
		Recipient: Address{
			Postal:  PostalAddress{Name: "Kari Prøve", Line1: "Prøveveien 1", PostalCode: "0123", City: "Oslo", Country: "Norge"},
			Digital: DigitalAddress{NationalID: "02813299952"},
		},
		Documents: []Document{{ID: "a", FileName: "brev.pdf", MimeType: MimePDF, Size: 10, Pages: 3}},
	}
	change(&s)
	return s
}

func toOrganization(s *Shipment) {
	s.Recipient.Digital = DigitalAddress{OrganizationNumber: "987654325"}
}
func toNobody(s *Shipment) { s.Recipient.Digital = DigitalAddress{} }

// TestWhatEachGenerationTakes: the newest is stricter; what it takes, the others take.
func TestWhatEachGenerationTakes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		shipment Shipment
		field    string // with a problem on V3 only; empty: none
	}{
		"a person":                       {letter(func(*Shipment) {}), ""},
		"an organisation with a type":    {letter(func(s *Shipment) { toOrganization(s); s.Type, s.Confidential = "Byggesøknad", true }), ""},
		"nobody known":                   {letter(toNobody), ""},
		"abroad":                         {letter(func(s *Shipment) { toNobody(s); s.Recipient.Postal.Country = "austria" }), ""},
		"a country that is none":         {letter(func(s *Shipment) { s.Recipient.Postal.Country = "Langtvekkistan" }), FieldCountry},
		"colours":                        {letter(func(s *Shipment) { s.Print.Color = true }), FieldColor},
		"colours, digitally only":        {letter(func(s *Shipment) { s.Print.Color, s.DigitalOnly = true, true }), ""},
		"a wrong digit":                  {letter(func(s *Shipment) { s.Recipient.Digital.NationalID = "02813299900" }), FieldRecipientNumber},
		"a type to a person":             {letter(func(s *Shipment) { s.Type = "Byggesøknad" }), FieldType},
		"archive metadata to a person":   {letter(func(s *Shipment) { s.Case = &CaseMetadata{CaseYear: 2026} }), FieldCase + NoarkCaseYear},
		"links to nobody known":          {letter(func(s *Shipment) { toNobody(s); s.Links = []Link{{URL: "https://example.no", Text: "Les"}} }), FieldLinks},
		"shared with others, on paper":   {letter(func(s *Shipment) { toNobody(s); s.SharedWith = []DigitalAddress{{OrganizationNumber: "987654325"}} }), FieldSharedWith},
		"level 4 on paper":               {letter(func(s *Shipment) { toNobody(s); s.Encrypted, s.RequireLevel4 = true, true }), FieldLevel4},
		"a reply address with no number": {letter(func(s *Shipment) { s.ReplyTo = &Address{Postal: s.Recipient.Postal} }), FieldReplyNumber},
		"two giro pages":                 {letter(func(s *Shipment) { s.Documents[0].GiroPages = []int{1, 3} }), FieldDocument + "a-giro"},
		"a giro page on a back side":     {letter(func(s *Shipment) { s.Print.Duplex, s.Documents[0].GiroPages = true, []int{2} }), FieldDocument + "a-giro"},
		"a long line":                    {letter(func(s *Shipment) { s.Recipient.Postal.Line1 = strings.Repeat("ø", 71) }), FieldLine1},
		"a pair without a value":         {letter(func(s *Shipment) { toOrganization(s); s.Documents[0].Extra = []Entry{{Key: "a"}} }), FieldDocument + "a-ekstra"},
		"a title of wide letters":        {letter(func(s *Shipment) { s.Title = strings.Repeat("😀", 501) }), FieldTitle},
		"a system of wide letters":       {letter(func(s *Shipment) { s.SourceSystem = strings.Repeat("😀", 51) }), FieldSourceSystem},
		"a long title in the archive":    {letter(func(s *Shipment) { toOrganization(s); s.Case = &CaseMetadata{Title: strings.Repeat("x", 1001)} }), FieldCase + NoarkTitle},
		"a link with a letter":           {letter(func(s *Shipment) { s.Links = []Link{{URL: "https://example.no/søk", Text: "Les"}} }), ""},
		"a host with a letter":           {letter(func(s *Shipment) { s.Links = []Link{{URL: "https://blåbær.no/", Text: "Les"}} }), LinkField(0, LinkURL)},
		"350 MB on paper":                {letter(func(s *Shipment) { s.Documents[0].Size = PrintSizeMax }), FieldDocuments},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, g := range []Generation{V1, V2} {
				if ps := tt.shipment.Validate(now, g); len(ps) > 0 {
					t.Errorf("V%d: got %v, want none", g, ps)
				}
			}
			ps := tt.shipment.Validate(now, V3)
			if tt.field == "" && len(ps) > 0 || tt.field != "" && (len(ps) != 1 || ps[0].Field != tt.field) {
				t.Errorf("got %v, want one at %q", ps, tt.field)
			}
		})
	}
}

// TestIntoTheHealthNetwork: only the newest generation sends there, and only what it takes.
func TestIntoTheHealthNetwork(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	health := func(change func(*Health)) Shipment {
		return letter(func(s *Shipment) {
			s.Recipient = Address{}
			s.Health = &Health{Phone: "99999999", PatientID: "02813299952", Contact: PersonName{First: "Sak", Last: "Behandler"}, Patient: PersonName{First: "Kari", Last: "Prøve"}}
			change(s.Health)
		})
	}
	for name, tt := range map[string]struct {
		shipment Shipment
		field    string
	}{
		"to the practitioner": {health(func(*Health) {}), ""},
		"by HER-id":           {health(func(h *Health) { h.HERID = "4711" }), ""},
		"by another id":       {health(func(h *Health) { h.HERID = "x" }), FieldHERID},
		"without a contact":   {health(func(h *Health) { h.Contact.Last = "" }), FieldContact + NameLast},
		"without a phone":     {health(func(h *Health) { h.Phone = " " }), FieldHealthPhone},
		"without a patient":   {health(func(h *Health) { h.PatientID = "" }), FieldPatientID},
	} {
		ps := tt.shipment.Validate(now, V3)
		if tt.field == "" && len(ps) > 0 || tt.field != "" && (len(ps) != 1 || ps[0].Field != tt.field) {
			t.Errorf("%s: got %v, want one at %q", name, ps, tt.field)
		}
		if ps := tt.shipment.Validate(now, V2); ps.For(FieldHealth) == nil {
			t.Errorf("%s on V2: got %v, want it refused", name, ps)
		}
	}
}

func TestChangesBetweenGenerations(t *testing.T) {
	t.Parallel()
	lost, gained, rules := Changes(V1, V3)
	if !slices.Contains(lost, FieldColor) || !slices.Contains(gained, FieldCorrelation) || !slices.Contains(rules, ChangeRecovery) || slices.Contains(rules, ChangeNoHealth) {
		t.Errorf("to V3: lost %v, gained %v, rules %v", lost, gained, rules)
	}
	lost, gained, rules = Changes(V3, V1)
	if !slices.Contains(gained, FieldColor) || !slices.Contains(lost, FieldCorrelation) || !slices.Contains(rules, ChangeNoHealth) || !slices.Contains(rules, ChangeNoGiro) || !slices.Contains(rules, ChangeNoCheckDigits) ||
		slices.Contains(rules, ChangeHealth) || slices.Contains(rules, ChangeGiro) {
		t.Errorf("back: lost %v, gained %v, rules %v", lost, gained, rules)
	}
	if lost, gained, rules := Changes(V2, V2); len(lost)+len(gained)+len(rules) > 0 {
		t.Errorf("nowhere: lost %v, gained %v, rules %v", lost, gained, rules)
	}
	a := Account{BillingCode: "a_b", Reply: Address{Postal: PostalAddress{Name: "X", Line1: "Y", PostalCode: "0123", City: "Oslo"}}}
	if ps := a.ReadyFor(V1); len(ps) != 1 || ps[0].Field != FieldBillingCode {
		t.Errorf("V1: got %v, want the underscore", ps)
	}
	if ps := a.ReadyFor(V3); len(ps) != 1 || ps[0].Field != FieldReplyNumber {
		t.Errorf("V3: got %v, want the reply address", ps)
	}
}

// TestCountryCode: names of three languages, and codes.
func TestCountryCode(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"": "NO", "Noreg": "NO", "sverige": "SE", " Tyskland ": "DE", "GERMANY": "DE", "dk": "DK", "Austerrike": "AT", "USA": "US", "XX": "", "Langtvekkistan": ""} {
		if got, known := CountryCode(typed); got != want || known != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", typed, got, known, want)
		}
	}
}
