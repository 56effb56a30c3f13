package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// The buttons of the choice of a template.
const (
	buttonFill    = "mal-hent"
	buttonReplace = "mal-bytt"
	keepText      = "behold"
)

// showSMSForm shows the form of an SMS with the account's templates to choose from.
func (s *server) showSMSForm(c echo.Context, v visit, status int, p views.SMSFormPage) error {
	all, err := s.o.Store.Templates(ctx(c), v.Account.ID)
	if err != nil {
		return err
	}
	if p.Measured, err = s.measured(c, v, p.Form.Text); err != nil {
		return err
	}
	p.Choice.Templates = nil
	for _, t := range all {
		if t.ID == p.Form.Template.ID {
			p.Choice.UsedName = t.Name
		}
		if !t.Archived() {
			p.Choice.Templates = append(p.Choice.Templates, t)
		}
	}
	if fragment(c) == "mal-valg" {
		return show(c, status, views.TemplateFilled(p))
	}
	return show(c, status, views.SMSNew(p))
}

// choosesTemplate tells whether the form was posted to get a template's text: by a button of the choice, or with a
// template chosen and nothing written.
func choosesTemplate(c echo.Context, f views.SMSForm) bool {
	return c.FormValue(buttonFill) != "" || c.FormValue(buttonReplace) != "" || f.Chosen != "" && strings.TrimSpace(f.Text) == ""
}

// fillFromTemplate shows the form again with the text of the chosen template. What somebody typed is only replaced after
// they have been asked; nothing is stored.
func (s *server) fillFromTemplate(c echo.Context, v visit, p views.SMSFormPage) error {
	replace := c.FormValue(buttonReplace)
	if replace != "" {
		p.Form.Chosen = replace
	}
	switch {
	case c.FormValue(buttonFill) == keepText:
		p.Form.Chosen = views.ChoiceValue(p.Form.Template.ID, p.Form.Template.Form)
		return s.showSMSForm(c, v, http.StatusOK, p)
	case p.Form.Chosen == "":
		p.Form.Template = dispatch.TemplateUse{}
		return s.showSMSForm(c, v, http.StatusOK, p)
	}
	t, form, err := s.chosenTemplate(c, v, p.Form.Chosen)
	if errors.Is(err, store.ErrNotFound) {
		p.Problems = dispatch.Problems{{Field: "mal", Key: "problem.template.gone"}}
		return s.showSMSForm(c, v, http.StatusUnprocessableEntity, p)
	}
	if err != nil {
		return err
	}
	untouched, err := s.untouched(c, v, p.Form)
	if err != nil {
		return err
	}
	if replace == "" && !untouched && p.Form.Text != t.In(form) {
		p.Choice.Offer = &views.TemplateOffer{Name: t.Name, Value: p.Form.Chosen, Text: t.In(form), Form: form}
		return s.showSMSForm(c, v, http.StatusOK, p)
	}
	p.Form.Text, p.Form.Template, p.Choice.Filled = t.In(form), t.Use(form), true
	return s.showSMSForm(c, v, http.StatusOK, p)
}

// chosenTemplate finds the template in use, and the form of it, that a choice names.
func (s *server) chosenTemplate(c echo.Context, v visit, choice string) (dispatch.Template, dispatch.WrittenForm, error) {
	id, form, _ := strings.Cut(choice, ":")
	t, err := s.o.Store.Template(ctx(c), v.Account.ID, dispatch.TemplateID(id))
	if err == nil && (t.Archived() || !hasForm(t.TemplateContent, dispatch.WrittenForm(form))) {
		err = store.ErrNotFound
	}
	return t, dispatch.WrittenForm(form), err
}

func hasForm(c dispatch.TemplateContent, f dispatch.WrittenForm) bool {
	for _, has := range c.Forms() {
		if has == f {
			return true
		}
	}
	return false
}

// untouched tells whether nothing was typed: the text is empty, or still that of the template that it was taken from.
func (s *server) untouched(c echo.Context, v visit, f views.SMSForm) (bool, error) {
	if strings.TrimSpace(f.Text) == "" {
		return true, nil
	}
	used, err := s.o.Store.TemplateUsed(ctx(c), v.Account.ID, f.Template)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && f.Text == used.In(f.Template.Form), err
}

// knownTemplate is what an SMS was written from, if the account has it: the form is not to be believed.
func (s *server) knownTemplate(c echo.Context, v visit, u dispatch.TemplateUse) (dispatch.TemplateUse, error) {
	used, err := s.o.Store.TemplateUsed(ctx(c), v.Account.ID, u)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && !hasForm(used, u.Form):
		return dispatch.TemplateUse{}, nil
	}
	return u, err
}
