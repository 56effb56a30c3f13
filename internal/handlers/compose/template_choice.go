package compose

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// The buttons of the template choice.
const (
	buttonFill    = "mal-hent"
	buttonReplace = "mal-bytt"
	keepText      = "behold"
)

// offerTemplates fills a choice with the account's templates and the name of the used one.
func (s *templateChoice) offerTemplates(c echo.Context, v frame.Visit, used dispatch.TemplateUse, choice *compose.TemplateChoice) error {
	all, err := items.In(s.Store).Templates.List(frame.Context(c), v.Account.ID, dispatch.KindSMS)
	choice.Templates = nil
	for _, t := range all {
		if t.ID == used.ID {
			choice.UsedName = t.Name
		}
		if t.Offered() {
			choice.Templates = append(choice.Templates, t)
		}
	}
	return err
}

// choosesTemplate tells whether a form was posted to fill in a template: by a button of the choice, or with a
// template chosen and no text.
func choosesTemplate(c echo.Context, chosen, text string) bool {
	return c.FormValue(buttonFill) != "" || c.FormValue(buttonReplace) != "" || chosen != "" && strings.TrimSpace(text) == ""
}

// filling is the text of a form that is being filled from a template.
type filling struct {
	Text, Chosen string
	Nynorsk      string
	Pairs        bool // both texts are filled from a template that has both
	Used         dispatch.TemplateUse
	Choice       compose.TemplateChoice
	Problems     dispatch.Problems
}

// fillFromTemplate fills in the text of the chosen template. Typed text is replaced only after the user confirms.
// Nothing is stored.
func (s *templateChoice) fillFromTemplate(c echo.Context, v frame.Visit, f *filling) error {
	replace := c.FormValue(buttonReplace)
	if replace != "" {
		f.Chosen = replace
	}
	switch {
	case c.FormValue(buttonFill) == keepText:
		f.Chosen = compose.ChoiceValue(f.Used.ID, f.Used.Form)
		return nil
	case f.Chosen == "":
		f.Used = dispatch.TemplateUse{}
		return nil
	}
	t, form, err := s.chosenTemplate(c, v, f.Chosen)
	if errors.Is(err, store.ErrNotFound) {
		f.Problems = dispatch.Problems{{Field: "mal", Key: "problem.template.gone"}}
		return nil
	}
	if err != nil {
		return err
	}
	text, nynorsk := t.In(form), ""
	if f.Pairs && t.Text != "" {
		text, nynorsk, form = t.Text, t.Nynorsk, dispatch.FormBokmal
	}
	untouched, err := s.untouched(c, v, *f)
	if err != nil {
		return err
	}
	if replace == "" && !untouched && (f.Text != text || f.Nynorsk != nynorsk) {
		f.Choice.Offer = &compose.TemplateOffer{Name: t.Name, Value: f.Chosen, Text: text, Nynorsk: nynorsk, Form: form}
		return nil
	}
	f.Text, f.Nynorsk, f.Chosen, f.Used, f.Choice.Filled = text, nynorsk, compose.ChoiceValue(t.ID, form), t.Use(form), true
	return nil
}

// chosenTemplate finds the active template of a choice, and its written form (bokmål or nynorsk).
func (s *templateChoice) chosenTemplate(c echo.Context, v frame.Visit, choice string) (dispatch.Template, dispatch.WrittenForm, error) {
	id, form, _ := strings.Cut(choice, ":")
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, dispatch.TemplateID(id))
	if err == nil && (!t.Offered() || !hasForm(t.TemplateContent, dispatch.WrittenForm(form))) {
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

// untouched tells whether nothing was typed: the text is empty, or still the template's.
func (s *templateChoice) untouched(c echo.Context, v frame.Visit, f filling) (bool, error) {
	if strings.TrimSpace(f.Text+f.Nynorsk) == "" {
		return true, nil
	}
	used, err := items.In(s.Store).Templates.UsedVersion(frame.Context(c), v.Account.ID, f.Used)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	nynorsk := f.Nynorsk == "" || f.Nynorsk == used.Nynorsk
	return err == nil && f.Text == used.In(f.Used.Form) && nynorsk, err
}

// knownTemplate is the template of an SMS, if the account has it: the form is untrusted.
func (s *templateChoice) knownTemplate(c echo.Context, v frame.Visit, u dispatch.TemplateUse) (dispatch.TemplateUse, error) {
	used, err := items.In(s.Store).Templates.UsedVersion(frame.Context(c), v.Account.ID, u)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && !hasForm(used, u.Form):
		return dispatch.TemplateUse{}, nil
	}
	return u, err
}
