package compose

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// List lists the account's templates.
func (s *Templates) List(c echo.Context, v frame.Visit) error {
	all, err := items.In(s.Store).Templates.List(frame.Context(c), v.Account.ID, dispatch.KindSMS)
	if err != nil {
		return err
	}
	p := compose.TemplatesPage{Page: s.Page(c, v, "template.title"), Search: strings.TrimSpace(c.QueryParam(compose.FieldTemplateSearch))}
	ofShipments, err := s.shipmentTemplates(c, v)
	if err != nil {
		return err
	}
	p.List(all, ofShipments)
	if p.Uses, err = items.In(s.Store).Templates.Usage(frame.Context(c), v.Account.ID, s.Now()); err != nil {
		return err
	}
	p.Section, p.Key = views.SectionTemplates, uuid.NewString()
	return frame.Show(c, http.StatusOK, compose.Templates(p))
}

func templateID(c echo.Context) dispatch.TemplateID { return dispatch.TemplateID(c.Param("id")) }

// Show shows the current version of a template.
func (s *Templates) Show(c echo.Context, v frame.Visit) error {
	return s.showPage(c, v, http.StatusOK, 0, nil)
}

// ShowVersion shows an older version with its changes.
func (s *Templates) ShowVersion(c echo.Context, v frame.Visit) error {
	n, err := strconv.Atoi(c.Param("versjon"))
	if err != nil || n < 1 {
		return store.ErrNotFound
	}
	return s.showPage(c, v, http.StatusOK, n, nil)
}

// showPage shows one version of a template; 0: the newest.
func (s *Templates) showPage(c echo.Context, v frame.Visit, status, n int, ps dispatch.Problems) error {
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, templateID(c))
	if err != nil {
		return err
	}
	p := compose.TemplatePage{Page: s.Page(c, v, "template.title"), Template: t, Shown: t.TemplateVersion, Key: uuid.NewString()}
	if p.Versions, err = items.In(s.Store).Templates.Versions(frame.Context(c), v.Account.ID, t.ID); err != nil {
		return err
	}
	uses, err := items.In(s.Store).Templates.Usage(frame.Context(c), v.Account.ID, s.Now())
	if err != nil {
		return err
	}
	p.Uses = uses[t.ID]
	if p.Last, err = items.In(s.Store).Approvals.LastOfTemplate(frame.Context(c), v.Account.ID, t.ID); err != nil {
		return err
	}
	if n > 0 && n != t.Number {
		if p.Shown, err = versionOf(p.Versions, n); err != nil {
			return err
		}
	}
	p.Section, p.Problems, p.Title = views.SectionTemplates, ps, p.Shown.Name
	if p.Shown.Number != t.Number {
		p.Title = i18n.T(frame.Context(c), "template.version.title", "Name", p.Shown.Name, "Version", p.Shown.Number)
	}
	return frame.Show(c, status, compose.TemplateShow(p))
}

// Restore saves an older version again as the newest.
func (s *Templates) Restore(c echo.Context, v frame.Visit) error {
	from, err := strconv.Atoi(c.Param("versjon"))
	if err != nil {
		return store.ErrNotFound
	}
	err = items.In(s.Store).Templates.Restore(frame.Context(c), v.Account.ID, templateID(c), frame.Actor(c, v.User), frame.ReadVersion(c), from)
	if err == nil {
		return s.templateSaved(c, v, templateID(c), "flash.template_restored")
	}
	return s.onTemplateChanged(c, v, err, from, "")
}

// Archive archives or reactivates a template.
func (s *Templates) Archive(archived bool) func(echo.Context, frame.Visit) error {
	flash := "flash.template_unarchived"
	if archived {
		flash = "flash.template_archived"
	}
	return func(c echo.Context, v frame.Visit) error {
		err := items.In(s.Store).Templates.Archive(frame.Context(c), v.Account.ID, templateID(c), frame.Actor(c, v.User), frame.ReadVersion(c), archived)
		return s.onTemplateChanged(c, v, err, 0, flash)
	}
}

// RequireApproval sets whether items made with the template need approval.
func (s *Templates) RequireApproval(c echo.Context, v frame.Visit) error {
	needs := c.FormValue(compose.FieldAsk) == "ja"
	err := items.In(s.Store).Templates.RequireApproval(frame.Context(c), v.Account.ID, templateID(c), frame.Actor(c, v.User), frame.ReadVersion(c), needs)
	return s.onTemplateChanged(c, v, err, 0, "flash.done")
}

// onTemplateChanged redirects to the template, or shows why it was not changed.
func (s *Templates) onTemplateChanged(c echo.Context, v frame.Visit, err error, shown int, flash string) error {
	switch {
	case errors.Is(err, store.ErrTaken):
		return s.showPage(c, v, http.StatusUnprocessableEntity, shown, dispatch.Problems{{Field: "handling", Key: "problem.template.taken"}})
	case errors.Is(err, items.ErrWaiting):
		flash = "flash.template_waits"
	case errors.Is(err, store.ErrStale), errors.Is(err, store.ErrChanged):
		flash = "flash.template_changed"
	case err != nil:
		return err
	}
	return s.FlashTo(c, compose.TemplatePath(v.Account, templateID(c)), flash, 0)
}

// readTemplateForm reads the form as typed.
func readTemplateForm(c echo.Context) (compose.TemplateForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return compose.TemplateForm{}, frame.BadForm(err)
	}
	f := compose.TemplateForm{
		Key: frame.FormKey(values.Get("nokkel")), Name: values.Get(dispatch.FieldName), Version: values.Get("versjon"),
		Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Nynorsk: dispatch.NormalizeText(values.Get(dispatch.FieldNynorsk)),
	}
	return f, nil
}

// New shows the form of a new template.
func (s *Templates) New(c echo.Context, v frame.Visit) error {
	return s.showTemplateForm(c, v, http.StatusOK, compose.TemplateFormPage{Form: compose.TemplateForm{Key: uuid.NewString()}}, nil)
}

func (s *Templates) showTemplateForm(c echo.Context, v frame.Visit, status int, p compose.TemplateFormPage, ps dispatch.Problems) error {
	p.Page = s.Page(c, v, "template.new")
	if p.Template.ID != "" {
		p.Title = i18n.T(frame.Context(c), "template.edit.title", "Name", p.Template.Name)
	}
	p.Section, p.Narrow, p.Problems = views.SectionTemplates, true, ps
	p.Measured = map[dispatch.WrittenForm]compose.Measured{}
	for _, t := range []struct {
		form        dispatch.WrittenForm
		field, text string
	}{{dispatch.FormBokmal, dispatch.FieldText, p.Form.Text}, {dispatch.FormNynorsk, dispatch.FieldNynorsk, p.Form.Nynorsk}} {
		m, err := s.measure.measuredTemplate(c, v, t.field, t.text)
		if err != nil {
			return err
		}
		p.Measured[t.form] = m
	}
	return frame.Show(c, status, compose.TemplateEdit(p))
}

// Create makes a template.
func (s *Templates) Create(c echo.Context, v frame.Visit) error {
	f, err := readTemplateForm(c)
	if err != nil {
		return err
	}
	if f.Replace(c.FormValue(compose.FieldReplace)) {
		return s.showTemplateForm(c, v, http.StatusOK, compose.TemplateFormPage{Form: f}, nil)
	}
	content, ps := f.Parse()
	id := dispatch.TemplateID(f.Key)
	if len(ps) == 0 {
		err := items.In(s.Store).Templates.Create(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), content)
		if err == nil {
			return s.templateSaved(c, v, id, "flash.template_saved")
		}
		if ps = refusedTemplate(err); len(ps) == 0 {
			return err
		}
	}
	return s.showTemplateForm(c, v, http.StatusUnprocessableEntity, compose.TemplateFormPage{Form: f}, ps)
}

// Edit shows the newest version in a form; an archived template is shown without a form.
func (s *Templates) Edit(c echo.Context, v frame.Visit) error {
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, templateID(c))
	if err != nil {
		return err
	}
	if t.OfShipment() {
		return store.ErrNotFound // a template of shipments is edited through a draft
	}
	if t.Archived() {
		return s.FlashTo(c, compose.TemplatePath(v.Account, t.ID), "flash.template_changed", 0)
	}
	if t.Waits() {
		return s.FlashTo(c, compose.TemplatePath(v.Account, t.ID), "flash.template_waits", 0)
	}
	from, err := s.returnedTo(c, v, t)
	if err != nil {
		return err
	}
	f := compose.NewTemplateForm(from)
	f.Version = strconv.Itoa(t.Number)
	return s.showTemplateForm(c, v, http.StatusOK, compose.TemplateFormPage{Template: t, Form: f}, nil)
}

// Save makes a new version. If somebody else has saved meanwhile, it shows both versions, and saving again is allowed.
func (s *Templates) Save(c echo.Context, v frame.Visit) error {
	f, err := readTemplateForm(c)
	if err != nil {
		return err
	}
	replaced := f.Replace(c.FormValue(compose.FieldReplace))
	content, ps := f.Parse()
	if len(ps) == 0 && !replaced {
		err := items.In(s.Store).Templates.Change(frame.Context(c), v.Account.ID, templateID(c), frame.Actor(c, v.User), frame.ReadVersion(c), content)
		if err == nil {
			return s.templateSaved(c, v, templateID(c), "flash.template_saved")
		}
		if ps = refusedTemplate(err); len(ps) == 0 {
			return err
		}
	}
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, templateID(c))
	if err != nil {
		return err
	}
	p := compose.TemplateFormPage{Template: t, Form: f}
	if replaced {
		return s.showTemplateForm(c, v, http.StatusOK, p, nil)
	}
	// Only when there is no other problem: otherwise the form keeps the version that was read.
	if ps[0].Key == "problem.template.stale" {
		p.Stale, p.Form.Version = true, strconv.Itoa(t.Number)
	}
	return s.showTemplateForm(c, v, http.StatusUnprocessableEntity, p, ps)
}

// refusedTemplate is the problem of a refused change; nil for other errors.
func refusedTemplate(err error) dispatch.Problems {
	switch {
	case errors.Is(err, store.ErrTaken):
		return dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.template.taken"}}
	case errors.Is(err, store.ErrStale):
		return dispatch.Problems{{Field: dispatch.FieldText, Key: "problem.template.stale"}}
	case errors.Is(err, items.ErrWaiting):
		return dispatch.Problems{{Field: dispatch.FieldText, Key: "problem.template.waits"}}
	case errors.Is(err, store.ErrChanged):
		return dispatch.Problems{{Field: dispatch.FieldText, Key: "problem.template.archived"}}
	}
	return noRoom(err, dispatch.FieldName)
}

// Count answers the live analysis of a template's text.
func (s *Templates) Count(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	field := dispatch.FieldText
	if values.Has(dispatch.FieldNynorsk) {
		field = dispatch.FieldNynorsk
	}
	m, err := s.measure.measuredTemplate(c, v, field, dispatch.NormalizeText(values.Get(field)))
	return s.measure.showCount(c, v, m, err)
}

// shipmentTemplates are the account's shipment templates, archived ones last.
func (s *Templates) shipmentTemplates(c echo.Context, v frame.Visit) ([]dispatch.Template, error) {
	all, err := items.In(s.Store).Templates.List(frame.Context(c), v.Account.ID, dispatch.KindShipment)
	slices.SortStableFunc(all, func(a, b dispatch.Template) int {
		switch {
		case a.Archived() == b.Archived():
			return 0
		case b.Archived():
			return -1
		}
		return 1
	})
	return all, err
}
