package dispatch

import (
	"strings"
	"testing"
	"time"
)

// healthForm is a form to a patient's general practitioner, with what is wrong with it.
func healthForm(change func(*DraftFields)) DraftFields {
	f := DraftFields{
		RecipientKind: RecipientHealth, Title: "Epikrise", SourceSystem: "Utsending", Country: "Norge", Duplex: true,
		Reply: PostalFields{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}, ReplyNumber: "974760673",
		Health: HealthFields{
			PatientID: "028132 99952", Phone: "74 00 00 00",
			Patient: PersonName{First: " Kari ", Last: "Prøve"}, Contact: PersonName{First: "Sak", Middle: "Bak", Last: "Behandler"},
		},
	}
	change(&f)
	return f
}

// TestHealthForm: the form of a shipment into the health network, and what is wrong with it.
func TestHealthForm(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	pdf := Document{ID: "a", FileName: "epikrise.pdf", MimeType: MimePDF, Size: 10, Pages: 1}
	with := func(change func(*Document)) []Document {
		d := pdf
		change(&d)
		return []Document{d}
	}
	one := []Document{pdf}
	for name, tt := range map[string]struct {
		change func(*DraftFields)
		files  []Document
		field  string // of the only problem; empty: none
		key    string
	}{
		"to the practitioner":         {func(*DraftFields) {}, one, "", ""},
		"to a HER-id":                 {func(f *DraftFields) { f.Health.ByHERID, f.Health.HERID = true, "8 140 123" }, one, "", ""},
		"an answer":                   {func(f *DraftFields) { f.InReplyTo = "7f1c0001-0000-4000-8000-000000000001" }, one, "", ""},
		"what was typed of a person":  {func(f *DraftFields) { f.Number, f.Name, f.Line1 = "123", "Ola", "Gata 1" }, one, "", ""},
		"no HER-id":                   {func(f *DraftFields) { f.Health.ByHERID = true }, one, FieldHERID, "problem.health.her_id.empty"},
		"HER-id 0":                    {func(f *DraftFields) { f.Health.ByHERID, f.Health.HERID = true, "0" }, one, FieldHERID, "problem.health.her_id"},
		"a HER-id with a sign":        {func(f *DraftFields) { f.Health.ByHERID, f.Health.HERID = true, "+5" }, one, FieldHERID, "problem.health.her_id"},
		"a HER-id of too many digits": {func(f *DraftFields) { f.Health.ByHERID, f.Health.HERID = true, "2147483648" }, one, FieldHERID, "problem.health.her_id"},
		"no patient's number":         {func(f *DraftFields) { f.Health.PatientID = "" }, one, FieldPatientID, "problem.national_id.empty"},
		"a wrong digit":               {func(f *DraftFields) { f.Health.PatientID = "02813299953" }, one, FieldPatientID, "problem.check_digits"},
		"no first name":               {func(f *DraftFields) { f.Health.Patient.First = " " }, one, FieldPatient + NameFirst, "problem.name.empty"},
		"a long middle name":          {func(f *DraftFields) { f.Health.Patient.Middle = strings.Repeat("å", 31) }, one, FieldPatient + NameMiddle, "problem.text.long"},
		"no contact":                  {func(f *DraftFields) { f.Health.Contact.Last = "" }, one, FieldContact + NameLast, "problem.name.empty"},
		"no phone":                    {func(f *DraftFields) { f.Health.Phone = "" }, one, FieldHealthPhone, "problem.health.phone"},
		"a long phone":                {func(f *DraftFields) { f.Health.Phone = strings.Repeat("1", 21) }, one, FieldHealthPhone, "problem.text.long"},
		"a long description":          {func(f *DraftFields) { f.Health.About = strings.Repeat("x", 5001) }, one, FieldAbout, "problem.text.long"},
		"a character that is none":    {func(f *DraftFields) { f.Health.About = "\uFFFD" }, one, FieldAbout, "problem.characters"},
		"a long title":                {func(f *DraftFields) { f.Title = strings.Repeat("x", 201) }, one, FieldTitle, "problem.text.long"},
		"no file":                     {func(*DraftFields) {}, nil, FieldDocuments, "problem.documents.none"},
		"two files":                   {func(*DraftFields) {}, append(with(func(d *Document) { d.ID, d.FileName = "b", "b.pdf" }), pdf), FieldDocuments, "problem.health.one_pdf"},
		"a text file":                 {func(*DraftFields) {}, with(func(d *Document) { d.FileName, d.MimeType = "a.txt", "text/plain" }), FieldDocuments, "problem.health.one_pdf"},
		"a file with a password":      {func(*DraftFields) {}, with(func(d *Document) { d.Found = DocumentPassword }), FieldDocument + "a", "problem.file.password"},
		"18 MB":                       {func(*DraftFields) {}, with(func(d *Document) { d.Size = 18_000_000 }), "", ""},
		"over 18 MB":                  {func(*DraftFields) {}, with(func(d *Document) { d.Size = 18_000_001 }), FieldDocuments, "problem.health.size"},
		"level 4":                     {func(f *DraftFields) { f.Encrypt, f.Level4 = true, true }, one, FieldLevel4, "problem.health.lacks"},
		"others who may read":         {func(f *DraftFields) { f.SharedWith = "974760673" }, one, FieldSharedWith, "problem.health.lacks"},
		"links":                       {func(f *DraftFields) { f.Links = []LinkFields{{URL: "https://example.no", Text: "Les"}} }, one, FieldLinks, "problem.health.lacks"},
		"giro":                        {func(f *DraftFields) { f.Documents = map[DocumentID]DocumentFields{"a": {Giro: "1"}} }, one, FieldDocument + "a-giro", "problem.health.lacks"},
		"an archive record":           {func(f *DraftFields) { f.Case = ArchiveFields{NoarkCaseYear: "2026"} }, one, FieldCase + NoarkCaseYear, "problem.health.lacks"},
		"a shipment type":             {func(f *DraftFields) { f.Type = "Byggesøknad" }, one, FieldType, "problem.health.lacks"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ps := healthForm(tt.change).Parse(V3, tt.files, now)
			if tt.key == "" && len(ps) > 0 || tt.key != "" && (len(ps) != 1 || ps[0].Field != tt.field || ps[0].Key != tt.key) {
				t.Errorf("got %v, want %s at %q", ps, tt.key, tt.field)
			}
			if s.Addressee() != ToHealth || !s.DigitalOnly || s.ReplyTo != nil || s.Print != (PrintOptions{}) {
				t.Errorf("got %+v, want it in the health network alone", s)
			}
			for _, older := range []Generation{V1, V2} {
				if _, ps := healthForm(tt.change).Parse(older, tt.files, now); ps.For(FieldHealth) == nil {
					t.Errorf("V%d: got %v, want it refused", older, ps)
				}
			}
		})
	}
}

// TestHealthIsAboutThePatient: the patient is whom the shipment is listed, searched for and protected by.
func TestHealthIsAboutThePatient(t *testing.T) {
	t.Parallel()
	f := healthForm(func(f *DraftFields) { f.Number, f.Name = "12047800155", "Ola" })
	s, _ := f.Parse(V3, nil, time.Now())
	if s.Recipient.Postal.Name != "Kari Prøve" || s.Recipient.Digital.NationalID != "02813299952" || f.RecipientName() != "Kari Prøve" {
		t.Errorf("got %q, want the patient", s.Recipient.Postal.Name)
	}
	if !s.Sending(ListCost{N: 1}, "").Sensitive {
		t.Error("it is not sensitive")
	}
	real := Account{ShipmentEnvironment: EnvironmentTest}.ValidateNumbers(Shipment{Health: &Health{PatientID: "12047800155"}})
	if len(real) != 1 || real[0].Field != FieldPatientID {
		t.Errorf("a real patient in a test environment: got %v", real)
	}
	for a, want := range map[Account]bool{
		{Health: true, ShipmentKind: IntegrationShipmentV3}: true, {Health: true, ShipmentKind: IntegrationShipmentV2}: false, {ShipmentKind: IntegrationShipmentV3}: false,
	} {
		if a.ReachesHealth() != want {
			t.Errorf("%s, turned on %t: got %t", a.ShipmentKind, a.Health, !want)
		}
	}
	if ps := (Account{}).ValidateHealth(s); len(ps) != 1 || ps[0].Key != "problem.health.off" {
		t.Errorf("not turned on: got %v", ps)
	}
	if got := s.Lost(V2); len(got) != 1 || got[0] != FieldHealth {
		t.Errorf("a move would lose %v", got)
	}
}
