package compose

import (
	"errors"
	"net/http"
	"net/url"

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

// draft returns the visitor's own draft. A draft that was sent meanwhile is shown instead.
func (s *SMS) draft(c echo.Context, v frame.Visit) (dispatch.SMSItem, error) {
	it, err := items.In(s.Store).SMS.ByID(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	switch {
	case err != nil:
		return it, err
	case it.CreatedBy != v.User.ID:
		return it, store.ErrNotFound
	case it.State != dispatch.StateDraft:
		return it, store.ErrChanged
	}
	return it, nil
}

// toItem redirects to the page of the SMS named by the address.
func (s *SMS) toItem(c echo.Context, v frame.Visit, flash string) error {
	return s.ToPage(c, v, frame.SMSPages, flash)
}

// found tells whether an SMS of a job goes to a phone number from the contact register.
func (s *SMS) found(c echo.Context, v frame.Visit, it dispatch.SMSItem) (bool, error) {
	if it.JobID == "" || !it.Recipient.ByPhone() {
		return false, nil
	}
	j, err := items.In(s.Store).Jobs.ByID(frame.Context(c), v.Account.ID, it.JobID)
	return j.Found, err
}

// replaced is the failed SMS that a draft is a copy of; zero if there is none.
func (s *SMS) replaced(c echo.Context, v frame.Visit, draft dispatch.ItemID) (dispatch.SMSItem, error) {
	id, err := items.In(s.Store).Origins.Replaced(frame.Context(c), v.Account.ID, draft)
	if err != nil || id == "" {
		return dispatch.SMSItem{}, err
	}
	it, err := items.In(s.Store).SMS.ByID(frame.Context(c), v.Account.ID, id)
	if errors.Is(err, store.ErrNotFound) { // a shipment, or purged
		return dispatch.SMSItem{}, nil
	}
	return it, err
}

// showTypedSMS shows the posted form beside another tab's autosave. Posting again keeps the posted one; until then the page does
// not autosave, so that neither is lost.
func (s *SMS) showTypedSMS(c echo.Context, v frame.Visit, p compose.SMSFormPage, other typedElsewhere) error {
	path := views.AccountPath(v.Account, "sms", other.id, "endre")
	if other.id == p.Form.Key {
		path = compose.UnfinishedPath(v.Account, other.id)
	}
	p.Other = compose.OtherSMS(p.Form, smsFormOf(other.values), path)
	p.Other.Typed, p.Autosave = true, views.Autosave{Version: other.version}
	p.Title = i18n.T(frame.Context(c), "both.title")
	return s.showSMSForm(c, v, http.StatusConflict, p)
}

// Autosave autosaves the form of a new SMS.
func (s *SMS) Autosave(c echo.Context, v frame.Visit) error {
	return s.unfinished.keep(c, v, items.Unfinished{ID: frame.FormKey(c.FormValue("nokkel"))})
}

// AutosaveEdit autosaves the form of an SMS draft.
func (s *SMS) AutosaveEdit(c echo.Context, v frame.Visit) error {
	return s.unfinished.keep(c, v, items.Unfinished{ID: c.Param("id"), Of: items.UnfinishedSMS, Seen: c.FormValue(views.FieldSeen)})
}

// DropUnfinished deletes an unfinished new SMS.
func (s *SMS) DropUnfinished(c echo.Context, v frame.Visit) error {
	err := items.In(s.Store).Forms.Drop(frame.Context(c), v.Account.ID, v.User.ID, c.FormValue(compose.FieldForm))
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "sms", "ny"), "flash.discarded", 0)
}

// unfinishedSMS is the form of an unfinished new SMS.
func (s *SMS) unfinishedSMS(c echo.Context, v frame.Visit, u items.Unfinished) compose.SMSFormPage {
	values, _ := url.ParseQuery(u.Fields) // we encoded it
	f := smsFormOf(values)
	f.Key = u.ID
	p := s.smsFormPage(c, v, f, nil)
	p.Autosave = p.Autosave.With(views.Autosave{Version: u.Version, SavedAt: u.SavedAt, Now: s.Now()})
	return p
}

// unfinishedForms are the visitor's unfinished new SMS.
func (s *SMS) unfinishedForms(c echo.Context, v frame.Visit) (forms []compose.UnfinishedSMS, err error) {
	all, err := items.In(s.Store).Forms.List(frame.Context(c), v.Account.ID, v.User.ID)
	for _, u := range all {
		values, _ := url.ParseQuery(u.Fields) // we encoded it
		forms = append(forms, compose.UnfinishedSMS{Key: u.ID, Path: compose.UnfinishedPath(v.Account, u.ID), SavedAt: u.SavedAt, Text: values.Get(dispatch.FieldText)})
	}
	return forms, err
}

// typedSMS is the form of a draft: autosaved, or as the draft is.
func (s *SMS) typedSMS(c echo.Context, v frame.Visit, it dispatch.SMSItem) (compose.SMSForm, views.Autosave, error) {
	values, a, err := s.unfinished.unfinishedOf(c, v, string(it.ID))
	if values == nil {
		return compose.FormOf(it.SMS, uuid.NewString()), a, err
	}
	return smsFormOf(values), a, err
}

func (s *SMS) smsFormPage(c echo.Context, v frame.Visit, f compose.SMSForm, ps dispatch.Problems) compose.SMSFormPage {
	p := compose.SMSFormPage{Page: s.Page(c, v, "sms.new.title"), Form: f, Action: views.AccountPath(v.Account, "sms", "ny")}
	p.Section, p.Narrow, p.Problems = views.SectionNewSMS, true, ps
	p.Contact = contactOf(v, dispatch.KindSMS)
	p.Autosave = views.Autosave{Path: views.AccountPath(v.Account, "sms", "ny", "lagre"), Version: savedVersion(c)}
	return p
}

// showSMSForm shows the form of an SMS with the account's templates to choose from.
func (s *SMS) showSMSForm(c echo.Context, v frame.Visit, status int, p compose.SMSFormPage) error {
	err := s.choice.offerTemplates(c, v, p.Form.Template, &p.Choice)
	if err != nil {
		return err
	}
	if p.Measured, err = s.measure.measured(c, v, p.Form.Text); err != nil {
		return err
	}
	if frame.Fragment(c) == "mal-valg" {
		return frame.Show(c, status, compose.TemplateFilled(p.TemplateField()))
	}
	if p.Held, err = s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindSMS); err != nil {
		return err
	}
	if p.Editing {
		if p.Failed, err = s.replaced(c, v, dispatch.ItemID(c.Param("id"))); err != nil {
			return err
		}
	}
	return frame.Show(c, status, compose.SMSNew(p))
}
