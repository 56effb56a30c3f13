package dispatch

import (
	"strings"
	"time"
	"unicode/utf8"
)

// TemplateID names a template.
type TemplateID string

// WrittenForm is the form of Norwegian that a text is in.
type WrittenForm string

// The forms of a pair.
const (
	FormBokmal  WrittenForm = "nb"
	FormNynorsk WrittenForm = "nn"
)

// Fields of a template that problems are tied to, besides the name and the text.
const FieldNynorsk = "nynorsk"

// TemplateNameMax is the longest name of a template in characters.
const TemplateNameMax = 100

// TemplateContent is what people write in a template: a text in bokmål, and the same in nynorsk or nothing; or the choices
// of a shipment, in the shape of its form, and no text.
type TemplateContent struct {
	Name, Text, Nynorsk string
	Choices             string
}

// OfShipment tells whether the template is one of shipments.
func (c TemplateContent) OfShipment() bool { return c.Choices != "" }

// TemplateVersion is a template as it stood after one change.
type TemplateVersion struct {
	TemplateContent
	Number       int
	By           string // name of who made it
	At           time.Time
	RestoredFrom int // the older version that was taken back; zero: it was written
}

// Template is an account's text that many SMS are written from, or the choices of many shipments, in its newest version.
type Template struct {
	ID TemplateID
	TemplateVersion
	ArchivedAt time.Time // zero: in use
	ArchivedBy string
}

// TemplateUse is what an SMS was written from: one version of a template, in one form. Zero: from nothing.
type TemplateUse struct {
	ID      TemplateID
	Version int
	Form    WrittenForm
}

// Archived tells whether the template is no longer offered.
func (t Template) Archived() bool { return !t.ArchivedAt.IsZero() }

// Use is the newest version in one form.
func (t Template) Use(f WrittenForm) TemplateUse {
	return TemplateUse{ID: t.ID, Version: t.Number, Form: f}
}

// TidyTemplate is the content as it is kept: without blanks around it, with line breaks as they are sent.
func TidyTemplate(c TemplateContent) TemplateContent {
	return TemplateContent{
		Choices: c.Choices, Name: strings.Join(strings.Fields(c.Name), " "), Text: strings.TrimSpace(NormalizeText(c.Text)), Nynorsk: strings.TrimSpace(NormalizeText(c.Nynorsk)),
	}
}

// In returns the text in one form; empty when the template does not have it.
func (c TemplateContent) In(f WrittenForm) string {
	if f == FormNynorsk {
		return c.Nynorsk
	}
	return c.Text
}

// Forms are the forms that the template has a text in.
func (c TemplateContent) Forms() []WrittenForm {
	if c.OfShipment() {
		return nil
	}
	if c.Nynorsk == "" {
		return []WrittenForm{FormBokmal}
	}
	return []WrittenForm{FormBokmal, FormNynorsk}
}

// Placeholders are the fields of both texts, each once.
func (c TemplateContent) Placeholders() []string { return Placeholders(c.Text + "\n" + c.Nynorsk) }

// Missing are the fields that the other text of the pair has and this one has not.
func (c TemplateContent) Missing(f WrittenForm) []string {
	if c.Nynorsk == "" {
		return nil
	}
	has := map[string]bool{}
	for _, name := range Placeholders(c.In(f)) {
		has[PlaceholderKey(name)] = true
	}
	var missing []string
	for _, name := range c.Placeholders() {
		if !has[PlaceholderKey(name)] {
			missing = append(missing, name)
		}
	}
	return missing
}

// Validate returns what keeps the template from being saved, in the order of the form. Its texts keep the limits of an
// SMS before anything is filled in; whether the whole fits is checked when it is sent.
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
	ps.add(validateText(c.Text))
	ps.add(validateNynorsk(c.Nynorsk))
	return ps
}

// ofNynorsk are the problems of a text in the words for the second text of a pair.
var ofNynorsk = map[string]string{
	"problem.text.empty": "problem.nynorsk.empty", "problem.text.characters": "problem.nynorsk.characters", "problem.text.length": "problem.nynorsk.length",
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
