package dispatch

import (
	"strconv"
	"strings"
)

// PersonName is a name in the parts that the health network asks for.
type PersonName struct{ First, Middle, Last string }

// Whole is the name in one text.
func (n PersonName) Whole() string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last), " ")
}

// Health is what a shipment into the health network has besides a recipient (Shipment V3 spec, NHN). Whom it is about, the
// patient, is the shipment's Recipient too: by that one it is listed, searched for and protected.
type Health struct {
	HERID     string // of the recipient; empty: the patient's general practitioner
	About     string // what the content is, beyond the title
	Contact   PersonName
	Phone     string // of the contact
	Patient   PersonName
	PatientID NationalID
}

// HealthFields are the form's fields of a shipment into the health network, as typed.
type HealthFields struct {
	ByHERID             bool // to a HER-id; else to the patient's general practitioner
	HERID, About, Phone string
	Contact, Patient    PersonName
	PatientID           string
}

// Limits of a shipment into the health network (Shipment V3 spec, NHN).
const (
	healthNameMax  = 30
	healthPhoneMax = 20
	healthAboutMax = 5000
	herIDMax       = 1<<31 - 1
)

// The fields of a shipment into the health network.
const (
	FieldHERID       = "her-id"
	FieldByHERID     = "helsemottaker"
	FieldAbout       = "beskrivelse"
	FieldContact     = "kontakt-" // prefix of a name's fields
	FieldHealthPhone = "kontakt-telefon"
	FieldPatient     = "pasient-" // prefix of a name's fields
	FieldPatientID   = "pasient-nummer"
	NameFirst        = "fornavn"
	NameMiddle       = "mellomnavn"
	NameLast         = "etternavn"
)

// ReachesHealth tells whether the account may send into the health network: it is turned on, and its generation can.
func (a Account) ReachesHealth() bool {
	return a.Health && a.Generation().Row().Recipients&ToHealth != 0
}

// ValidateHealth refuses a shipment into the health network from an account that has not turned it on.
func (a Account) ValidateHealth(s Shipment) Problems {
	if s.Health == nil || a.Health {
		return nil
	}
	return Problems{{Field: FieldHealth, Key: "problem.health.off"}}
}

// ToHealth tells whether the form's recipient is in the health network.
func (f DraftFields) ToHealth() bool { return f.RecipientKind == RecipientHealth }

// RecipientName is by whom a draft is listed: the recipient, or the patient.
func (f DraftFields) RecipientName() string {
	if f.ToHealth() {
		return f.Health.Patient.Whole()
	}
	return f.Name
}

// parseHealth turns the form's fields of the health network into a shipment there: nothing of it is printed, and it has no
// address for answers. A default one that the form holds for other recipients is left out.
func (f DraftFields) parseHealth(s *Shipment) Problems {
	if !f.ToHealth() {
		return nil
	}
	var ps Problems
	h := &Health{
		About: strings.TrimSpace(f.Health.About), Phone: strings.TrimSpace(f.Health.Phone),
		Contact: f.Health.Contact.trimmed(), Patient: f.Health.Patient.trimmed(),
	}
	if f.Health.ByHERID {
		if h.HERID = withoutBlanks(f.Health.HERID); h.HERID == "" {
			ps.add(&Problem{Field: FieldHERID, Key: "problem.health.her_id.empty"})
		}
	}
	var p *Problem
	h.PatientID, p = ParseNationalID(FieldPatientID, f.Health.PatientID)
	ps.add(p)
	s.Health, s.DigitalOnly, s.Print, s.ReplyTo = h, true, PrintOptions{}, nil
	s.Recipient = Address{Postal: PostalAddress{Name: h.Patient.Whole()}, Digital: DigitalAddress{NationalID: h.PatientID}}
	return ps
}

func (n PersonName) trimmed() PersonName {
	return PersonName{strings.TrimSpace(n.First), strings.TrimSpace(n.Middle), strings.TrimSpace(n.Last)}
}

func (s Shipment) validateHealth(ps *Problems, l Limits, files FileRule) {
	h := s.Health
	if h == nil {
		return
	}
	if h.HERID != "" {
		if n, err := strconv.Atoi(h.HERID); err != nil || n < 1 || n > herIDMax || !allDigits(h.HERID) {
			ps.add(&Problem{Field: FieldHERID, Key: "problem.health.her_id"})
		}
	}
	tooLong(ps, FieldAbout, h.About, healthAboutMax)
	tooLong(ps, FieldTitle, s.Title, l.HealthTitle)
	h.Contact.validate(ps, FieldContact)
	h.Patient.validate(ps, FieldPatient)
	if isBlank(h.Phone) {
		ps.add(&Problem{Field: FieldHealthPhone, Key: "problem.health.phone"})
	}
	tooLong(ps, FieldHealthPhone, h.Phone, healthPhoneMax)
	if _, p := ParseNationalID(FieldPatientID, h.PatientID.Reveal()); p != nil {
		ps.add(p)
	} else if !h.PatientID.CheckDigitsFit() {
		ps.add(&Problem{Field: FieldPatientID, Key: "problem.check_digits"})
	}
	s.validateHealthFile(ps, files)
}

// validateHealthFile asks for exactly one PDF that can be opened.
//
// Assumption: one that asks for a password is refused, as for print: nobody at the recipient's could open it.
func (s Shipment) validateHealthFile(ps *Problems, rule FileRule) {
	switch {
	case len(s.Documents) == 0: // said already
	case len(s.Documents) > rule.Most || !s.Documents[0].PDF():
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.health.one_pdf"})
	case s.Documents[0].Found != DocumentFine && s.Documents[0].Found != DocumentEmpty:
		d := s.Documents[0]
		ps.add(&Problem{Field: FieldDocument + string(d.ID), Key: "problem.file." + string(d.Found), Args: Args{"Name": d.FileName}})
	case rule.Size > 0 && s.Size() > rule.Size:
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.health.size"})
	}
}

// healthTexts are the texts of a shipment into the health network.
func (s Shipment) healthTexts() []textField {
	if s.Health == nil {
		return nil
	}
	texts := []textField{{FieldAbout, s.Health.About}, {FieldHealthPhone, s.Health.Phone}}
	return append(append(texts, s.Health.Contact.texts(FieldContact)...), s.Health.Patient.texts(FieldPatient)...)
}

func (n PersonName) texts(prefix string) []textField {
	return []textField{{prefix + NameFirst, n.First}, {prefix + NameMiddle, n.Middle}, {prefix + NameLast, n.Last}}
}

func (n PersonName) validate(ps *Problems, prefix string) {
	for i, f := range n.texts(prefix) {
		if i != 1 && isBlank(f.text) {
			ps.add(&Problem{Field: f.name, Key: "problem.name.empty"})
		}
		tooLong(ps, f.name, f.text, healthNameMax)
	}
}
