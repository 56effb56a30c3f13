package compose

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// beginFrom fills a new shipment's form from an active template, if one was chosen.
func (s *ShipmentTemplates) beginFrom(c echo.Context, v frame.Visit, f *dispatch.DraftFields) (dispatch.TemplateUse, error) {
	id := dispatch.TemplateID(c.FormValue("mal"))
	if id == "" {
		return dispatch.TemplateUse{}, nil
	}
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, id)
	if err == nil && (!t.OfShipment() || !t.Offered()) {
		err = store.ErrNotFound
	}
	if err != nil {
		return dispatch.TemplateUse{}, err
	}
	choices, err := compose.ParseChoices(t.Choices)
	*f = choices.Begin(v.Account, s.Now())
	return t.Use(""), err
}

// New shows which fields of a draft would become a template.
func (s *ShipmentTemplates) New(c echo.Context, v frame.Visit) error {
	return s.showShipmentTemplate(c, v, compose.ShipmentTemplateForm{Key: uuid.NewString()}, nil)
}

func (s *ShipmentTemplates) showShipmentTemplate(c echo.Context, v frame.Visit, f compose.ShipmentTemplateForm, ps dispatch.Problems) error {
	d, content, err := s.choicesOf(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	all, err := s.templates.shipmentTemplates(c, v)
	if err != nil {
		return err
	}
	p := compose.ShipmentTemplatePage{Page: s.Page(c, v, "shipment_template.title"), Draft: d.Item.ID, Choices: content.Choices, Form: f}
	p.Templates = slices.DeleteFunc(all, func(t dispatch.Template) bool { return t.Archived() || t.Waits() })
	p.Section, p.Narrow, p.Problems = views.SectionTemplates, true, ps
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentTemplate(p))
}

// choicesOf are the choices of the draft named by the address, as a template stores them.
func (s *ShipmentTemplates) choicesOf(c echo.Context, v frame.Visit) (dispatch.Draft, dispatch.TemplateContent, error) {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err == nil && !v.User.May(dispatch.RightEditTemplates, v.Account.ID) {
		err = echo.ErrForbidden
	}
	if err != nil {
		return d, dispatch.TemplateContent{}, err
	}
	stored, err := compose.ChoicesOf(f, s.Now()).Stored()
	return d, dispatch.TemplateContent{Choices: stored}, err
}

// Save creates a template from a draft's fields, or a new version of the chosen one.
func (s *ShipmentTemplates) Save(c echo.Context, v frame.Visit) error {
	d, content, err := s.choicesOf(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	f := compose.ShipmentTemplateForm{Key: frame.FormKey(c.FormValue("nokkel")), Name: c.FormValue(dispatch.FieldName), Template: c.FormValue("mal")}
	onto := compose.ParseUse(f.Template)
	content.Name = f.Name
	if onto.ID != "" && strings.TrimSpace(f.Name) == "" {
		t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, onto.ID)
		if err != nil {
			return err
		}
		content.Name = t.Name
	}
	content = dispatch.TidyTemplate(content)
	ps := content.Validate()
	if p := d.Fields.TitleProblem(); p != nil {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldName, Key: "problem.shipment_template.titles", Args: p.Args})
	}
	if len(ps) > 0 {
		return s.showShipmentTemplate(c, v, f, ps)
	}
	id := onto.ID
	if id == "" {
		id = dispatch.TemplateID(f.Key)
		err = items.In(s.Store).Templates.Create(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), content)
	} else {
		err = items.In(s.Store).Templates.Change(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), onto.Version, content)
	}
	if ps := refusedShipmentTemplate(err); len(ps) > 0 {
		return s.showShipmentTemplate(c, v, f, ps)
	}
	if err != nil {
		return err
	}
	return s.templates.templateSaved(c, v, id, "flash.template_saved")
}

// refusedShipmentTemplate is the message about a refused template; empty for other errors.
func refusedShipmentTemplate(err error) dispatch.Problems {
	switch {
	case errors.Is(err, store.ErrTaken):
		return dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.template.taken"}}
	case errors.Is(err, store.ErrStale):
		return dispatch.Problems{{Field: "mal", Key: "problem.shipment_template.stale"}}
	case errors.Is(err, items.ErrWaiting):
		return dispatch.Problems{{Field: "mal", Key: "problem.template.waits"}}
	case errors.Is(err, store.ErrChanged):
		return dispatch.Problems{{Field: "mal", Key: "problem.shipment_template.archived"}}
	}
	return noRoom(err, dispatch.FieldName)
}
