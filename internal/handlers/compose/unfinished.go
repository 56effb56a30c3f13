package compose

import (
	"errors"
	"net/http"
	"net/url"
	"time"

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

// savedVersion is the autosaved version that the page shows, or has saved since; 0: none.
func savedVersion(c echo.Context) int { return views.TypedVersion(c.FormValue(views.FieldSaved)) }

// typedElsewhere is a newer autosave of the same form from another tab.
type typedElsewhere struct {
	id      string // the form's idempotency key, or its draft's id
	values  url.Values
	version int
}

// handIn submits a form. If another tab has autosaved something else since, it returns that instead.
func (s *Pages) handIn(c echo.Context, v frame.Visit, same func(url.Values) bool, do func(saved int) error) (*typedElsewhere, error) {
	saved := savedVersion(c)
	for range 3 { // another tab may save once more
		err := do(saved)
		var typed items.TypedError
		if !errors.As(err, &typed) {
			return nil, err
		}
		u, err := items.In(s.Store).Unfinished(frame.Context(c), v.Account.ID, v.User.ID, typed.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values, _ := url.ParseQuery(u.Fields) // we encoded it
		if !same(values) {
			return &typedElsewhere{typed.ID, values, u.Version}, nil
		}
		saved = u.Version
	}
	return nil, store.ErrStale
}

// sameSMS tells whether another tab's form has the same content.
func sameSMS(f compose.SMSForm) func(url.Values) bool {
	return func(other url.Values) bool { return !compose.OtherSMS(f, smsFormOf(other), "").Differs() }
}

// showTypedSMS shows the posted form beside another tab's autosave. Posting again keeps the posted one; until then the page does
// not autosave, so that neither is lost.
func (s *Pages) showTypedSMS(c echo.Context, v frame.Visit, p compose.SMSFormPage, other typedElsewhere) error {
	path := views.AccountPath(v.Account, "sms", other.id, "endre")
	if other.id == p.Form.Key {
		path = compose.UnfinishedPath(v.Account, other.id)
	}
	p.Other = compose.OtherSMS(p.Form, smsFormOf(other.values), path)
	p.Other.Typed, p.Autosave = true, views.Autosave{Version: other.version}
	p.Title = i18n.T(frame.Context(c), "both.title")
	return s.showSMSForm(c, v, http.StatusConflict, p)
}

// KeepSMS autosaves the form of a new SMS.
func (s *Pages) KeepSMS(c echo.Context, v frame.Visit) error {
	return s.keep(c, v, items.Unfinished{ID: frame.FormKey(c.FormValue("nokkel"))})
}

// KeepSMSEdit autosaves the form of an SMS draft.
func (s *Pages) KeepSMSEdit(c echo.Context, v frame.Visit) error {
	return s.keep(c, v, items.Unfinished{ID: c.Param("id"), Of: items.UnfinishedSMS, Seen: c.FormValue(views.FieldSeen)})
}

// KeepJob autosaves the text of a job.
func (s *Pages) KeepJob(c echo.Context, v frame.Visit) error {
	return s.keep(c, v, items.Unfinished{ID: c.Param("id"), Of: items.UnfinishedJob, Seen: c.FormValue(views.FieldSeen)})
}

// keep autosaves a form, and answers with the time. It refuses to overwrite a submitted form or another tab's newer autosave.
func (s *Pages) keep(c echo.Context, v frame.Visit, u items.Unfinished) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	u.Version = savedVersion(c)
	a := views.Autosave{Now: s.Now()}
	if u.Of == items.UnfinishedNew && smsFormOf(values).Empty() {
		if err := items.In(s.Store).DropUnfinished(frame.Context(c), v.Account.ID, v.User.ID, u.ID); err != nil {
			return err
		}
		a.Address = views.AccountPath(v.Account, "sms", "ny")
		return frame.Show(c, http.StatusOK, views.Autosaved(a))
	}
	values.Del(views.FieldSaved)
	u.Fields = values.Encode()
	if u, err = items.In(s.Store).SaveUnfinished(frame.Context(c), v.Account.ID, v.User.ID, u); errors.Is(err, store.ErrChanged) {
		return store.ErrStale
	} else if err != nil {
		return err
	}
	a.Version, a.SavedAt = u.Version, u.SavedAt
	if u.Of == items.UnfinishedNew {
		a.Address = compose.UnfinishedPath(v.Account, u.ID)
	}
	return frame.Show(c, http.StatusOK, views.Autosaved(a))
}

// DropSMS deletes an unfinished new SMS.
func (s *Pages) DropSMS(c echo.Context, v frame.Visit) error {
	err := items.In(s.Store).DropUnfinished(frame.Context(c), v.Account.ID, v.User.ID, c.FormValue(compose.FieldForm))
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "sms", "ny"), "flash.discarded", 0)
}

// unfinishedSMS is the form of an unfinished new SMS.
func (s *Pages) unfinishedSMS(c echo.Context, v frame.Visit, u items.Unfinished) compose.SMSFormPage {
	values, _ := url.ParseQuery(u.Fields) // we encoded it
	f := smsFormOf(values)
	f.Key = u.ID
	p := s.smsFormPage(c, v, f, nil)
	p.Autosave = p.Autosave.With(views.Autosave{Version: u.Version, SavedAt: u.SavedAt, Now: s.Now()})
	return p
}

// unfinishedForms are the visitor's unfinished new SMS.
func (s *Pages) unfinishedForms(c echo.Context, v frame.Visit) (forms []compose.UnfinishedSMS, err error) {
	all, err := items.In(s.Store).UnfinishedForms(frame.Context(c), v.Account.ID, v.User.ID)
	for _, u := range all {
		values, _ := url.ParseQuery(u.Fields) // we encoded it
		forms = append(forms, compose.UnfinishedSMS{Key: u.ID, Path: compose.UnfinishedPath(v.Account, u.ID), SavedAt: u.SavedAt, Text: values.Get(dispatch.FieldText)})
	}
	return forms, err
}

// unfinishedOf is the autosaved form of a draft, unless the saved draft is asked for.
func (s *Pages) unfinishedOf(c echo.Context, v frame.Visit, id string) (url.Values, views.Autosave, error) {
	u, err := items.In(s.Store).Unfinished(frame.Context(c), v.Account.ID, v.User.ID, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, views.Autosave{}, nil
	case err != nil:
		return nil, views.Autosave{}, err
	case c.QueryParam(compose.FieldSavedDraft) != "":
		return nil, views.Autosave{Version: u.Version}, nil
	}
	values, err := url.ParseQuery(u.Fields)
	return values, views.Autosave{Version: u.Version, SavedAt: u.SavedAt, Now: s.Now(), Draft: c.Request().URL.Path + "?" + compose.FieldSavedDraft + "=ja"}, err
}

// typedSMS is the form of a draft: autosaved, or as the draft is.
func (s *Pages) typedSMS(c echo.Context, v frame.Visit, it dispatch.SMSItem) (compose.SMSForm, views.Autosave, error) {
	values, a, err := s.unfinishedOf(c, v, string(it.ID))
	if values == nil {
		return compose.FormOf(it.SMS, uuid.NewString()), a, err
	}
	return smsFormOf(values), a, err
}

// typedJob is typedSMS for a job.
func (s *Pages) typedJob(c echo.Context, v frame.Visit, j dispatch.Job) (compose.JobForm, views.Autosave, error) {
	values, a, err := s.unfinishedOf(c, v, string(j.ID))
	if values == nil {
		return compose.JobFormOf(j), a, err
	}
	return jobFormOf(values), a, err
}

// typedSince is when changes were autosaved that the draft lacks; zero: there are none.
func (s *Pages) typedSince(c echo.Context, v frame.Visit, id string) (time.Time, error) {
	u, err := items.In(s.Store).Unfinished(frame.Context(c), v.Account.ID, v.User.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	return u.SavedAt, err
}
