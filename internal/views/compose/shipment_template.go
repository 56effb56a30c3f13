package compose

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ShipmentChoices are what a template of shipments stores: all of the form except the recipient, the files and other facts of a
// single shipment.
type ShipmentChoices struct {
	Form     dispatch.DraftFields
	SignDays int // days until the signing deadline; 0: no signing, or no deadline given
}

// ChoicesOf takes the choices from a form. People who may fetch the files are left out: they belong to one shipment, and everybody
// on the account can read a template.
func ChoicesOf(f dispatch.DraftFields, now time.Time) ShipmentChoices {
	c := ShipmentChoices{Form: f}
	c.Form.Number, c.Form.Name, c.Form.Line1, c.Form.Line2, c.Form.Line3 = "", "", "", "", ""
	c.Form.PostalCode, c.Form.City, c.Form.Country = "", "", ""
	c.Form.ExternalReference, c.Form.CorrelationID, c.Form.InReplyTo = "", "", ""
	c.Form.Documents, c.Form.Timing, c.Form.SignDocument, c.Form.SignBy = nil, dispatch.TimingFields{}, "", ""
	c.Form.Health = dispatch.HealthFields{}
	c.Form.SharedWith = organizations(f.SharedWith)
	if day, ok := views.ParseDate(f.SignBy); ok && f.Sign {
		c.SignDays = max(int(day.Add(24*time.Hour).Sub(now).Hours())/24, 1)
	}
	return c
}

// organizations keeps the lines that are organisation numbers.
func organizations(lines string) string {
	var kept []string
	for _, line := range strings.Split(lines, "\n") {
		if _, p := dispatch.ParseOrganizationNumber(dispatch.FieldSharedWith, line); p == nil {
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return strings.Join(kept, "\n")
}

// Stored encodes the choices for storage.
func (c ShipmentChoices) Stored() (string, error) {
	stored, err := json.Marshal(c)
	return string(stored), err
}

// ParseChoices decodes what Stored returned.
func ParseChoices(stored string) (c ShipmentChoices, err error) {
	return c, json.Unmarshal([]byte(stored), &c)
}

// Begin is the form of a new shipment with these choices.
func (c ShipmentChoices) Begin(a dispatch.Account, now time.Time) dispatch.DraftFields {
	f := c.Form
	f.Country = NewShipmentForm(a).Country
	if f.Sign && c.SignDays > 0 {
		f.SignBy = views.TypedDate(now.AddDate(0, 0, c.SignDays))
	}
	return f
}

// choiceParts are the choices in words, under the headings of the form. Empty sections are left out.
func choiceParts(ctx context.Context, stored string) []part {
	c, err := ParseChoices(stored)
	if err != nil {
		return nil
	}
	s, _ := c.Form.Parse(dispatch.V2, nil, time.Time{})
	var links []string
	for _, l := range s.Links {
		links = append(links, strings.TrimSpace(l.Lead+" "+l.Text+" "+l.URL))
	}
	return []part{
		{Key: "shipment.title", After: strings.TrimSpace(c.Form.Title)},
		{Key: "shipment.title.nynorsk", After: strings.TrimSpace(c.Form.TitleNynorsk)},
		{Key: "shipment.reply.heading", After: strings.Join(views.ReplySentences(ctx, s), " ")},
		{Key: "link.heading", After: strings.Join(links, ", ")},
		{Key: "shipment.step.delivery", After: strings.Join(views.DeliverySentences(ctx, s), " ")},
		{Key: "shipment.access.heading", After: accessWords(ctx, s)},
		{Key: "noark.case", After: factsLine(CaseFacts(ctx, s.Case))},
		{Key: "noark.import", After: factsLine(ImportFacts(ctx, s.Import))},
		{Key: "shipment.step.signing", After: c.signingWords(ctx)},
	}
}

// choicesLine is what a template is for, on one line: the title, or else how it is delivered.
func choicesLine(ctx context.Context, stored string) string {
	for _, p := range choiceParts(ctx, stored) {
		if p.After != "" && (p.Key == "shipment.title" || p.Key == "shipment.title.nynorsk" || p.Key == "shipment.step.delivery") {
			return views.Excerpt(p.After, 90)
		}
	}
	return ""
}

func accessWords(ctx context.Context, s dispatch.Shipment) string {
	var words []string
	if s.Confidential {
		words = append(words, i18n.T(ctx, "shipment.review.confidential"))
	}
	if s.Encrypted {
		words = append(words, i18n.T(ctx, "shipment.review.encrypt"))
	}
	if s.RequireLevel4 {
		words = append(words, i18n.T(ctx, "shipment.review.level4"))
	}
	for _, d := range s.SharedWith {
		words = append(words, d.OrganizationNumber.Grouped())
	}
	return strings.Join(words, " ")
}

func (c ShipmentChoices) signingWords(ctx context.Context) string {
	kind := i18n.T(ctx, "signature."+c.Form.SignatureType)
	switch {
	case !c.Form.Sign:
		return ""
	case c.SignDays == 0:
		return i18n.T(ctx, "shipment_template.sign", "Type", kind)
	}
	return i18n.T(ctx, "shipment_template.sign_days", "N", c.SignDays, "Type", kind)
}

// choicesDiffer are the sections in which two versions of a template differ.
func choicesDiffer(ctx context.Context, before, after string) []part {
	old := map[string]string{}
	for _, p := range choiceParts(ctx, before) {
		old[p.Key] = p.After
	}
	var parts []part
	for _, p := range choiceParts(ctx, after) {
		if p.Before = old[p.Key]; p.Before != p.After {
			parts = append(parts, p)
		}
	}
	return parts
}

// ShipmentTemplatePage makes a template, or a new version of one, from the choices of a draft.
type ShipmentTemplatePage struct {
	views.Page
	Draft     dispatch.ItemID
	Choices   string
	Templates []dispatch.Template // templates of shipments in use
	Form      ShipmentTemplateForm
}

// ShipmentTemplateForm is the template to make or change, as typed.
type ShipmentTemplateForm struct {
	Key, Name string
	Template  string // template and the version that was read; empty: a new template
}

// versionValue is a template with its newest version, as a form posts it.
func versionValue(t dispatch.Template) string { return UseValue(t.Use("shipment")) }
