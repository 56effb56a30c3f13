package dispatch

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"
)

// TemplateID names a template.
type TemplateID string

// WrittenForm is a written form of Norwegian.
type WrittenForm string

// The written forms.
const (
	FormBokmal  WrittenForm = "nb"
	FormNynorsk WrittenForm = "nn"
)

// FieldNynorsk is the field of the text in nynorsk.
const FieldNynorsk = "nynorsk"

// TemplateNameMax is the longest name of a template in characters.
const TemplateNameMax = 100

// TemplateContent is the editable part of a template: for SMS a text in bokmål, in nynorsk or in both; for
// shipments the choices, encoded as its form, and no text.
type TemplateContent struct {
	Name, Text, Nynorsk string
	Choices             string
}

// OfShipment tells whether the template is for shipments.
func (c TemplateContent) OfShipment() bool { return c.Choices != "" }

// TemplateVersion is a template after one change.
type TemplateVersion struct {
	TemplateContent
	Number       int
	By           string // name
	At           time.Time
	RestoredFrom int // the older version that was restored; zero: none

	Asked ApprovalState // what became of asking others to approve it; empty: nobody had to
}

// Template is an account's template for SMS texts or for shipments, in the version in use; a new one that is not approved yet, in its
// newest version.
type Template struct {
	ID TemplateID
	TemplateVersion
	ArchivedAt time.Time // zero: in use
	ArchivedBy string

	NeedsApproval bool // somebody else has to approve what is sent with it

	Unused   bool          // it is new, and not approved
	Newest   int           // number of the newest version, in use or not
	Proposed ApprovalState // of the newest version, if that is not in use: waiting, returned or withdrawn
}

// TemplateUse is the template version and form that an SMS was written from. Zero: none.
type TemplateUse struct {
	ID      TemplateID
	Version int
	Form    WrittenForm
}

// TemplateMonth is how many items were made with a template in a month.
type TemplateMonth struct {
	Month time.Time // its first day
	N     int
	Last  time.Time // day of the last one
}

// Waits tells whether a version of it waits for approval.
func (t Template) Waits() bool { return t.Proposed == ApprovalWaiting }

// Offered tells whether it can be used in what is new.
func (t Template) Offered() bool { return !t.Archived() && !t.Unused }

// Matches tells whether the name or the text has all these words.
func (t Template) Matches(search string) bool {
	text := strings.ToLower(t.Name + " " + t.Text + " " + t.Nynorsk)
	for word := range strings.FieldsSeq(strings.ToLower(search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Archived tells whether the template is no longer offered.
func (t Template) Archived() bool { return !t.ArchivedAt.IsZero() }

// Use returns the newest version in one form.
func (t Template) Use(f WrittenForm) TemplateUse {
	return TemplateUse{ID: t.ID, Version: t.Number, Form: f}
}

// TidyTemplate normalizes blanks and line breaks.
func TidyTemplate(c TemplateContent) TemplateContent {
	return TemplateContent{
		Choices: c.Choices, Name: strings.Join(strings.Fields(c.Name), " "), Text: strings.TrimSpace(NormalizeText(c.Text)), Nynorsk: strings.TrimSpace(NormalizeText(c.Nynorsk)),
	}
}

// In returns the text in one form; empty when there is none.
func (c TemplateContent) In(f WrittenForm) string {
	if f == FormNynorsk {
		return c.Nynorsk
	}
	return c.Text
}

// Forms returns the forms that the template has a text in.
func (c TemplateContent) Forms() []WrittenForm {
	var forms []WrittenForm
	for _, f := range []WrittenForm{FormBokmal, FormNynorsk} {
		if c.In(f) != "" {
			forms = append(forms, f)
		}
	}
	return forms
}

// First is the text in bokmål, or else the one in nynorsk.
func (c TemplateContent) First() string { return cmp.Or(c.Text, c.Nynorsk) }

// Placeholders returns the placeholders of both texts, each once.
func (c TemplateContent) Placeholders() []string { return Placeholders(c.Text + "\n" + c.Nynorsk) }

// Missing returns the placeholders of the other text that this one lacks.
func (c TemplateContent) Missing(f WrittenForm) []string {
	if c.Text == "" || c.Nynorsk == "" {
		return nil
	}
	return MissingPlaceholders(c.In(f), c.Text+"\n"+c.Nynorsk)
}

// Validate returns the problems that keep the template from being saved, in the order of the form. Its texts keep the
// limits of an SMS before placeholders are filled in; the filled-in text is checked when it is sent. There is at least one text,
// and two have the same placeholders. None is
// mistyped.
func (c TemplateContent) Validate() Problems {
	var ps Problems
	switch name := strings.TrimSpace(c.Name); {
	case name == "":
		ps.add(&Problem{Field: FieldName, Key: "problem.template.name"})
	case !Readable(name):
		ps.add(&Problem{Field: FieldName, Key: "problem.template.name.characters"})
	case utf8.RuneCountInString(name) > TemplateNameMax:
		ps.add(&Problem{Field: FieldName, Key: "problem.name.long"})
	}
	if c.OfShipment() {
		return ps
	}
	switch {
	case strings.TrimSpace(c.Text) == "" && c.Nynorsk == "":
		ps.add(&Problem{Field: FieldText, Key: "problem.template.text"})
	case c.Text != "":
		ps.add(validateText(c.Text))
	}
	ps.add(validateNynorsk(c.Nynorsk))
	if len(ps) == 0 {
		for _, f := range []struct{ field, text string }{{FieldText, c.Text}, {FieldNynorsk, c.Nynorsk}} {
			ps.add(StrayProblem(f.field, f.text, c.Placeholders()))
		}
	}
	if len(ps) == 0 {
		ps.add(samePlaceholders(c.Text, c.Nynorsk, FieldText, FieldNynorsk))
	}
	return ps
}

// ofNynorsk maps problems of a text to their wording for the nynorsk text.
var ofNynorsk = map[string]string{
	"problem.text.empty": "problem.nynorsk.empty", "problem.text.characters": "problem.nynorsk.characters", "problem.text.length": "problem.nynorsk.length",
}

// TextProblem returns the problem of a text of SMS in the field of bokmål or of nynorsk, or nil.
func TextProblem(field, text string) *Problem {
	if field == FieldNynorsk {
		return validateNynorsk(text)
	}
	return validateText(text)
}

func validateNynorsk(text string) *Problem {
	if text == "" {
		return nil
	}
	p := validateText(text)
	if p != nil {
		p.Field, p.Key = FieldNynorsk, ofNynorsk[p.Key]
	}
	return p
}
