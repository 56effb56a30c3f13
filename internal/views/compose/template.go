package compose

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// TemplatesPage lists an account's templates.
type TemplatesPage struct {
	views.Page
	Templates, Archived []dispatch.Template // of SMS texts
	Shipments           []dispatch.Template // of shipments; the archived ones are last
	Key                 string              // of the buttons that begin a shipment

	Uses map[dispatch.TemplateID][]dispatch.TemplateMonth
}

// TemplatePage shows one template in one version, with what was changed in it.
type TemplatePage struct {
	views.Page
	Template dispatch.Template
	Shown    dispatch.TemplateVersion
	Versions []dispatch.TemplateVersion // newest first
	Key      string                     // of the button that begins a shipment
	Uses     []dispatch.TemplateMonth   // newest first
	Last     dispatch.Approval          // the last time that others were asked to approve a version; zero: they never were
}

// useOf says how often a template was used, and when last.
func useOf(ctx context.Context, months []dispatch.TemplateMonth) (often, last string) {
	n := 0
	for _, m := range months {
		n += m.N
	}
	if n == 0 {
		return i18n.T(ctx, "template.use.none"), ""
	}
	return i18n.T(ctx, "template.use.n", "N", n), i18n.T(ctx, "template.use.last", "Date", views.TableDate(months[0].Last))
}

// monthText is a month with its year.
func monthText(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "template.month", "Month", i18n.T(ctx, "month."+strconv.Itoa(int(t.Month()))), "Year", strconv.Itoa(t.Year()))
}

// isNewest tells whether the version shown is the one in use.
func (p TemplatePage) isNewest() bool { return p.Shown.Number == p.Template.Number }

// before is what was in use before the version shown, or is; false for the first.
func (p TemplatePage) before() (dispatch.TemplateVersion, bool) {
	v := p.beforeOf(p.Shown.Number)
	return v, v.Number > 0
}

// beforeOf is what was in use before a version, or, before any was, the version before it; the zero version before the first.
func (p TemplatePage) beforeOf(number int) (before dispatch.TemplateVersion) {
	for _, v := range p.Versions {
		if v.Number < number && (v.Asked == "" || v.Asked == dispatch.ApprovalApproved) {
			return v
		}
		if v.Number == number-1 {
			before = v
		}
	}
	return before
}

// edits tells whether the user may change the template.
func (p TemplatePage) edits() bool { return p.May(dispatch.RightEditTemplates) }

// at is an address of the template.
func (p TemplatePage) at(parts ...string) string {
	return TemplatePath(p.Account, p.Template.ID, parts...)
}

// versionAt is the page of one version.
func (p TemplatePage) versionAt(n int, parts ...string) string {
	if n == p.Template.Number {
		return p.at()
	}
	return p.at(append([]string{"versjoner", strconv.Itoa(n)}, parts...)...)
}

// TemplatePath returns an address of a template.
func TemplatePath(a dispatch.Account, id dispatch.TemplateID, parts ...string) string {
	return views.AccountPath(a, append([]string{"maler", string(id)}, parts...)...)
}

// TemplateForm is the form of a template, as typed.
type TemplateForm struct {
	Key                 string // of a new template: its id
	Name, Text, Nynorsk string
	Version             string // that was read
}

// NewTemplateForm is the form of a template as it stands.
func NewTemplateForm(v dispatch.TemplateVersion) TemplateForm {
	return TemplateForm{Name: v.Name, Text: v.Text, Nynorsk: v.Nynorsk, Version: strconv.Itoa(v.Number)}
}

// Parse turns the form into a template's content with the problems that keep it from being saved.
func (f TemplateForm) Parse() (dispatch.TemplateContent, dispatch.Problems) {
	c := dispatch.TidyTemplate(dispatch.TemplateContent{Name: f.Name, Text: f.Text, Nynorsk: f.Nynorsk})
	return c, c.Validate()
}

// Replace puts ordinary characters in the place of look-alikes in one of the texts, and tells whether that was asked for.
func (f *TemplateForm) Replace(field string) bool {
	switch field {
	case dispatch.FieldText:
		f.Text = dispatch.Plain(f.Text)
	case dispatch.FieldNynorsk:
		f.Nynorsk = dispatch.Plain(f.Nynorsk)
	}
	return field != ""
}

// TemplateFormPage is where a template is written.
type TemplateFormPage struct {
	views.Page
	Template dispatch.Template // as it stands now; zero: a new one
	Form     TemplateForm
	Measured map[dispatch.WrittenForm]Measured
	Stale    bool // somebody saved meanwhile: what they wrote is shown beside what was typed
}

// isNew tells whether the form makes a template.
func (p TemplateFormPage) isNew() bool { return p.Template.ID == "" }

// action is where the form is posted.
func (p TemplateFormPage) action() string {
	if p.isNew() {
		return p.PathTo("maler", "ny")
	}
	return TemplatePath(p.Account, p.Template.ID, "endre")
}

// back is where the form is left to.
func (p TemplateFormPage) back() string {
	if p.isNew() {
		return p.PathTo("maler")
	}
	return TemplatePath(p.Account, p.Template.ID)
}

// typed is the content of the form as it would be kept.
func (p TemplateFormPage) typed() dispatch.TemplateContent {
	c, _ := p.Form.Parse()
	return c
}

// part is one part of a template that versions differ in.
type part struct {
	Key           string // catalogue key of its heading
	Before, After string
	Lang          string // empty: as the page
}

// differing are the parts in which two versions differ.
func differing(ctx context.Context, before, after dispatch.TemplateContent) []part {
	parts := choicesDiffer(ctx, before.Choices, after.Choices)
	for _, p := range []part{
		{"template.name", before.Name, after.Name, ""}, {"written_form.nb", before.Text, after.Text, ""}, {"written_form.nn", before.Nynorsk, after.Nynorsk, "nn"},
	} {
		if p.Before != p.After {
			parts = append(parts, p)
		}
	}
	return parts
}

// langOf is the language of a text in a form where it is not the page's.
func langOf(f dispatch.WrittenForm) string {
	if f == dispatch.FormNynorsk {
		return "nn"
	}
	return "nb"
}

// templateSegments says how long each text of a template is: "1 SMS-del, på nynorsk 2 SMS-deler".
func templateSegments(ctx context.Context, c dispatch.TemplateContent) string {
	text := i18n.T(ctx, "template.parts", "N", dispatch.Segment(c.First()).Count)
	if len(c.Forms()) < 2 {
		return text
	}
	return text + ", " + i18n.T(ctx, "template.parts.nynorsk", "N", dispatch.Segment(c.Nynorsk).Count)
}

// forms names the forms that a template has.
func forms(ctx context.Context, c dispatch.TemplateContent) string {
	var names []string
	for _, f := range c.Forms() {
		names = append(names, i18n.T(ctx, "written_form."+string(f)))
	}
	return strings.Join(names, ", ")
}

// TemplateChoice is the choice of a template where an SMS is written.
type TemplateChoice struct {
	Templates []dispatch.Template // that may be chosen; none: there is no choice
	UsedName  string              // of the template that the text was written from
	Offer     *TemplateOffer      // asks before what was typed is replaced
	Filled    bool                // the text was just taken from a template
}

// TemplateField is the choice in a form: what was posted, and what there is to choose.
type TemplateField struct {
	views.Page
	TemplateChoice
	Text, Chosen string
	Used         dispatch.TemplateUse
	Nynorsk      string
	Pairs        bool // a template with two texts fills both
}

// forms are those that a template is offered in.
func (f TemplateField) forms(t dispatch.Template) []dispatch.WrittenForm {
	if f.Pairs && t.Text != "" {
		return []dispatch.WrittenForm{dispatch.FormBokmal}
	}
	return t.Forms()
}

// TemplateField is the choice of a template in the form.
func (p SMSFormPage) TemplateField() TemplateField {
	return TemplateField{Page: p.Page, TemplateChoice: p.Choice, Text: p.Form.Text, Chosen: p.Form.Chosen, Used: p.Form.Template}
}

// TemplateField is the choice of a template in the form.
func (p JobEditPage) TemplateField() TemplateField {
	return TemplateField{Page: p.Page, TemplateChoice: p.Choice, Text: p.Form.Text, Chosen: p.Form.Chosen, Used: p.Form.Template, Nynorsk: p.Form.Nynorsk,
		Pairs: p.twoTexts()}
}

// TemplateOffer is a text that would replace what was typed.
type TemplateOffer struct {
	Name, Value, Text string
	Nynorsk           string // that would come beside it
	Form              dispatch.WrittenForm
}

// ChoiceValue is a template in one form, as a form posts it.
func ChoiceValue(id dispatch.TemplateID, f dispatch.WrittenForm) string {
	if id == "" {
		return ""
	}
	return string(id) + ":" + string(f)
}

// UseValue is a version of a template in one form, as a form posts it.
func UseValue(u dispatch.TemplateUse) string {
	if u.ID == "" {
		return ""
	}
	return ChoiceValue(u.ID, u.Form) + ":" + strconv.Itoa(u.Version)
}

// ParseUse reads what UseValue wrote; anything else is no template.
func ParseUse(value string) dispatch.TemplateUse {
	parts := strings.Split(value, ":")
	if len(parts) != 3 {
		return dispatch.TemplateUse{}
	}
	u := dispatch.TemplateUse{ID: dispatch.TemplateID(parts[0]), Form: dispatch.WrittenForm(parts[1])}
	u.Version = views.TypedVersion(parts[2])
	return u
}

// said is what a screen reader is told about the choice.
func (f TemplateField) said(ctx context.Context) string {
	switch {
	case f.Offer != nil:
		return i18n.T(ctx, "template.replace", "Name", f.Offer.Name)
	case f.Filled:
		return i18n.T(ctx, "template.used", "Name", f.UsedName, "Version", f.Used.Version)
	}
	return ""
}
