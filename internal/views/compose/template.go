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
	Shipments           []dispatch.Template // templates of shipments, archived ones last
	Key                 string              // idempotency key of the buttons that start a shipment
	Searches            bool                // there are so many that a search is offered
	Search              string              // words that the lists are narrowed to; empty: they are not

	Uses map[dispatch.TemplateID][]dispatch.TemplateMonth
}

// FieldTemplateSearch is the parameter of the list of templates with words to narrow it to.
const FieldTemplateSearch = "finn"

// templatesAtAGlance is how many templates are shown without a search.
const templatesAtAGlance = 8

// List fills in an account's templates, those of SMS and those of shipments, narrowed to the search.
func (p *TemplatesPage) List(ofSMS, ofShipments []dispatch.Template) {
	p.Searches = p.Search != "" || len(ofSMS)+len(ofShipments) > templatesAtAGlance
	for _, t := range ofSMS {
		switch {
		case !t.Matches(p.Search):
		case t.Archived():
			p.Archived = append(p.Archived, t)
		default:
			p.Templates = append(p.Templates, t)
		}
	}
	for _, t := range ofShipments {
		if t.Matches(p.Search) {
			p.Shipments = append(p.Shipments, t)
		}
	}
}

// nothingFound tells whether a search has no result.
func (p TemplatesPage) nothingFound() bool {
	return p.Search != "" && len(p.Templates)+len(p.Archived)+len(p.Shipments) == 0
}

// sendsSMS tells whether the viewer may begin an SMS on the account.
func sendsSMS(p views.Page) bool { return p.May(dispatch.RightSendSMS) && p.Account.HasSMS() }

// TemplatePage shows one version of a template, with its changes.
type TemplatePage struct {
	views.Page
	Template dispatch.Template
	Shown    dispatch.TemplateVersion
	Versions []dispatch.TemplateVersion // newest first
	Key      string                     // idempotency key of the button that starts a shipment
	Uses     []dispatch.TemplateMonth   // newest first
	Last     dispatch.Approval          // the last request to approve a version; zero: there was none
}

// useOf tells how often a template was used, and when last.
func useOf(ctx context.Context, months []dispatch.TemplateMonth) (often, last string) {
	n := 0
	for _, m := range months {
		n += m.N
	}
	if n == 0 {
		return i18n.T(ctx, "template.use.none"), ""
	}
	return i18n.T(ctx, "template.use.n", "N", n), i18n.T(ctx, "template.use.last", "Date", views.TableDate(ctx, months[0].Last))
}

// monthText is a month with its year.
func monthText(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "template.month", "Month", i18n.T(ctx, "month."+strconv.Itoa(int(t.Month()))), "Year", strconv.Itoa(t.Year()))
}

// isNewest tells whether the version shown is the one in use.
func (p TemplatePage) isNewest() bool { return p.Shown.Number == p.Template.Number }

// before is the version that was in use before the one shown; false: there was none.
func (p TemplatePage) before() (dispatch.TemplateVersion, bool) {
	v := p.beforeOf(p.Shown.Number)
	return v, v.Number > 0
}

// beforeOf is the version in use before the given one. If none was in use then, it is the preceding version; zero before the first.
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

// begins tells whether the viewer may begin an SMS with the template.
func (p TemplatePage) begins() bool {
	return sendsSMS(p.Page) && p.isNewest() && p.Template.Offered() && !p.Template.OfShipment()
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
	Key                 string // id of a new template, which makes posting idempotent
	Name, Text, Nynorsk string
	Version             string // version that was read
}

// NewTemplateForm is the form with the content of a version.
func NewTemplateForm(v dispatch.TemplateVersion) TemplateForm {
	return TemplateForm{Name: v.Name, Text: v.Text, Nynorsk: v.Nynorsk, Version: strconv.Itoa(v.Number)}
}

// Parse turns the form into a template's content and its problems.
func (f TemplateForm) Parse() (dispatch.TemplateContent, dispatch.Problems) {
	c := dispatch.TidyTemplate(dispatch.TemplateContent{Name: f.Name, Text: f.Text, Nynorsk: f.Nynorsk})
	return c, c.Validate()
}

// Replace replaces look-alike characters in one of the texts, and tells whether the button for that was pressed.
func (f *TemplateForm) Replace(field string) bool {
	switch field {
	case dispatch.FieldText:
		f.Text = dispatch.Plain(f.Text)
	case dispatch.FieldNynorsk:
		f.Nynorsk = dispatch.Plain(f.Nynorsk)
	}
	return field != ""
}

// TemplateFormPage is the form of a new or existing template.
type TemplateFormPage struct {
	views.Page
	Template dispatch.Template // current version; zero: a new template
	Form     TemplateForm
	Measured map[dispatch.WrittenForm]Measured
	Stale    bool // saved by somebody else meanwhile: both versions are shown
}

// isNew tells whether the form is of a new template.
func (p TemplateFormPage) isNew() bool { return p.Template.ID == "" }

// action is the address that the form is posted to.
func (p TemplateFormPage) action() string {
	if p.isNew() {
		return p.PathTo("maler", "ny")
	}
	return TemplatePath(p.Account, p.Template.ID, "endre")
}

// back is the address of the Cancel link.
func (p TemplateFormPage) back() string {
	if p.isNew() {
		return p.PathTo("maler")
	}
	return TemplatePath(p.Account, p.Template.ID)
}

// typed is the content of the form as it would be stored.
func (p TemplateFormPage) typed() dispatch.TemplateContent {
	c, _ := p.Form.Parse()
	return c
}

// part is a section of a template, compared between two versions.
type part struct {
	Key           string // catalogue key of the heading
	Before, After string
	Lang          string // empty: as the page
}

// differing are the sections in which two versions differ.
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

// langOf is the lang attribute for a written form; empty: as the page.
func langOf(f dispatch.WrittenForm) string {
	if f == dispatch.FormNynorsk {
		return "nn"
	}
	return "nb"
}

// templateSegments tells the length of each text: "1 SMS-del, på nynorsk 2 SMS-deler".
func templateSegments(ctx context.Context, c dispatch.TemplateContent) string {
	text := i18n.T(ctx, "template.parts", "N", dispatch.Segment(c.First()).Count)
	if len(c.Forms()) < 2 || dispatch.Segment(c.Nynorsk).Count == dispatch.Segment(c.First()).Count {
		return text
	}
	return text + ", " + i18n.T(ctx, "template.parts.nynorsk", "N", dispatch.Segment(c.Nynorsk).Count)
}

// forms names the written forms of a template.
func forms(ctx context.Context, c dispatch.TemplateContent) string {
	var names []string
	for _, f := range c.Forms() {
		names = append(names, i18n.T(ctx, "written_form."+string(f)))
	}
	return strings.Join(names, ", ")
}

// TemplateChoice is the choice of a template for an SMS text.
type TemplateChoice struct {
	Templates []dispatch.Template // none: there is no choice
	UsedName  string              // name of the template that the text was written from
	Offer     *TemplateOffer      // asks before typed text is replaced
	Filled    bool                // the text was just taken from a template
}

// TemplateField is the choice of a template with the values posted.
type TemplateField struct {
	views.Page
	TemplateChoice
	Text, Chosen string
	Used         dispatch.TemplateUse
	Nynorsk      string
	Pairs        bool // both texts are filled from a template that has both
}

// forms are the written forms in which a template is offered.
func (f TemplateField) forms(t dispatch.Template) []dispatch.WrittenForm {
	if f.Pairs && t.Text != "" {
		return []dispatch.WrittenForm{dispatch.FormBokmal}
	}
	return t.Forms()
}

// TemplateField is the choice of a template in this form.
func (p SMSFormPage) TemplateField() TemplateField {
	return TemplateField{Page: p.Page, TemplateChoice: p.Choice, Text: p.Form.Text, Chosen: p.Form.Chosen, Used: p.Form.Template}
}

// TemplateField is the choice of a template in this form.
func (p JobEditPage) TemplateField() TemplateField {
	return TemplateField{Page: p.Page, TemplateChoice: p.Choice, Text: p.Form.Text, Chosen: p.Form.Chosen, Used: p.Form.Template, Nynorsk: p.Form.Nynorsk,
		Pairs: p.twoTexts()}
}

// TemplateOffer is a template's text that would replace typed text.
type TemplateOffer struct {
	Name, Value, Text string
	Nynorsk           string // text in nynorsk
	Form              dispatch.WrittenForm
}

// ChoiceValue is a template in a written form, as a form posts it.
func ChoiceValue(id dispatch.TemplateID, f dispatch.WrittenForm) string {
	if id == "" {
		return ""
	}
	return string(id) + ":" + string(f)
}

// UseValue is a version of a template in a written form, as a form posts it.
func UseValue(u dispatch.TemplateUse) string {
	if u.ID == "" {
		return ""
	}
	return ChoiceValue(u.ID, u.Form) + ":" + strconv.Itoa(u.Version)
}

// ParseUse is the inverse of UseValue; zero if the value is malformed.
func ParseUse(value string) dispatch.TemplateUse {
	parts := strings.Split(value, ":")
	if len(parts) != 3 {
		return dispatch.TemplateUse{}
	}
	u := dispatch.TemplateUse{ID: dispatch.TemplateID(parts[0]), Form: dispatch.WrittenForm(parts[1])}
	u.Version = views.TypedVersion(parts[2])
	return u
}

// said is the announcement for screen readers.
func (f TemplateField) said(ctx context.Context) string {
	switch {
	case f.Offer != nil:
		return i18n.T(ctx, "template.replace", "Name", f.Offer.Name)
	case f.Filled:
		return i18n.T(ctx, "template.used", "Name", f.UsedName, "Version", f.Used.Version)
	}
	return ""
}
