package dispatch

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of an SMS text in characters (SMS spec, Limits). The specification does not say whether it counts code
// points or UTF-16 units: both must be within.
const (
	SMSTextMin = 2
	SMSTextMax = 1600
)

// Fields of an SMS that problems are tied to; the form uses the same names.
const (
	FieldRecipient  = "mottaker"
	FieldNationalID = "fnr"
	FieldPhone      = "telefonnummer"
	FieldText       = "tekst"
)

// SMS is the content of one SMS to one recipient.
type SMS struct {
	Recipient    SMSRecipient
	Text         string
	HideInReport bool
	Template     TemplateUse // template that the text was written from
	Timing
}

// SMSRecipient is a national identity number or a phone number, never both: the specification does not say which
// takes precedence.
type SMSRecipient struct {
	NationalID NationalID
	Phone      Phone
}

// ByPhone tells whether the recipient is given by phone number.
func (r SMSRecipient) ByPhone() bool { return r.Phone != "" }

// Masked returns the masked number, which everybody with access to the item may see.
func (r SMSRecipient) Masked() string {
	if r.ByPhone() {
		return r.Phone.Masked()
	}
	return r.NationalID.Masked()
}

// NormalizeText turns all line breaks into \n, which is what is counted and sent.
func NormalizeText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Validate returns the problems that keep the SMS from being sent (SMS spec, SmsMeldingRequest and Phone number
// rules).
func (m SMS) Validate() Problems {
	var ps Problems
	ps.add(m.Recipient.validate())
	ps.add(validateText(m.Text))
	return ps
}

func (r SMSRecipient) validate() *Problem {
	switch {
	case r.NationalID != "" && r.Phone != "":
		return &Problem{Field: FieldRecipient, Key: "problem.recipient.both"}
	case r.Phone != "":
		p, problem := ParsePhone(FieldPhone, r.Phone.Reveal())
		if problem == nil && p != r.Phone { // it would be sent with its blanks
			return &Problem{Field: FieldPhone, Key: "problem.phone.digits"}
		}
		return problem
	case r.NationalID != "":
		n, problem := ParseNationalID(FieldNationalID, r.NationalID.Reveal())
		if problem == nil && n != r.NationalID {
			return &Problem{Field: FieldNationalID, Key: "problem.national_id.digits"}
		}
		return problem
	}
	return &Problem{Field: FieldRecipient, Key: "problem.recipient.empty"}
}

func validateText(text string) *Problem {
	text = NormalizeText(text)
	points, units := utf8.RuneCountInString(text), utf16Length(text)
	switch {
	case isBlank(text):
		return &Problem{Field: FieldText, Key: "problem.text.empty"}
	case !Readable(text):
		return &Problem{Field: FieldText, Key: "problem.text.characters"}
	case points < SMSTextMin:
		return &Problem{Field: FieldText, Key: "problem.text.length", Args: Args{"N": points}}
	case units > SMSTextMax:
		return &Problem{Field: FieldText, Key: "problem.text.length", Args: Args{"N": units}}
	}
	return nil
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Purged tells whether the text was deleted when its retention ended: a text is never empty otherwise.
func (i SMSItem) Purged() bool { return i.Text == "" }

// SMSItem is an SMS with its state.
type SMSItem struct {
	Item
	SMS
	Segments Segmentation
	Revision string // of the draft: changes with each edit
	Answer   Answer // the service's error answer, to the submission or a status read
}
