package compose

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
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
func (s *unfinished) handIn(c echo.Context, v frame.Visit, same func(url.Values) bool, do func(saved int) error) (*typedElsewhere, error) {
	saved := savedVersion(c)
	for range 3 { // another tab may save once more
		err := do(saved)
		var typed items.TypedError
		if !errors.As(err, &typed) {
			return nil, err
		}
		u, err := items.In(s.Store).Forms.ByID(frame.Context(c), v.Account.ID, v.User.ID, typed.ID)
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

// keep autosaves a form, and answers with the time. It refuses to overwrite a submitted form or another tab's newer autosave.
func (s *unfinished) keep(c echo.Context, v frame.Visit, u items.Unfinished) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	u.Version = savedVersion(c)
	a := views.Autosave{Now: s.Now()}
	if u.Of == items.UnfinishedNew && smsFormOf(values).Empty() {
		if err := items.In(s.Store).Forms.Drop(frame.Context(c), v.Account.ID, v.User.ID, u.ID); err != nil {
			return err
		}
		a.Address = views.AccountPath(v.Account, "sms", "ny")
		return frame.Show(c, http.StatusOK, views.Autosaved(a))
	}
	values.Del(views.FieldSaved)
	u.Fields = values.Encode()
	if u, err = items.In(s.Store).Forms.Save(frame.Context(c), v.Account.ID, v.User.ID, u); errors.Is(err, store.ErrChanged) {
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

// unfinishedOf is the autosaved form of a draft, unless the saved draft is asked for.
func (s *unfinished) unfinishedOf(c echo.Context, v frame.Visit, id string) (url.Values, views.Autosave, error) {
	u, err := items.In(s.Store).Forms.ByID(frame.Context(c), v.Account.ID, v.User.ID, id)
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

// typedSince is when changes were autosaved that the draft lacks; zero: there are none.
func (s *unfinished) typedSince(c echo.Context, v frame.Visit, id string) (time.Time, error) {
	u, err := items.In(s.Store).Forms.ByID(frame.Context(c), v.Account.ID, v.User.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return time.Time{}, nil
	}
	return u.SavedAt, err
}
