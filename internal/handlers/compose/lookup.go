package compose

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// lookupRows is how many answers a page shows.
const lookupRows = 100

// Show shows the form, and the answers until they are deleted.
func (s *Lookups) Show(c echo.Context, v frame.Visit) error {
	return s.showLookupWith(c, v, http.StatusOK, compose.LookupForm{Key: uuid.NewString()}, nil)
}

func (s *Lookups) showLookupWith(c echo.Context, v frame.Visit, status int, f compose.LookupForm, ps dispatch.Problems) error {
	p := compose.LookupPage{Page: s.Page(c, v, "lookup.title"), Form: f, Closed: closedForLookup(v.Account)}
	p.Section, p.Problems, p.LooksUp = views.SectionLookup, ps, true
	l, err := s.Session.Lookup(frame.Context(c), v.Account.ID, s.Now())
	switch {
	case err == nil:
		p.Result = lookupResult(c, v, l)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return frame.Show(c, status, compose.Lookup(p))
}

// closedForLookup is the catalogue key of why an account cannot use the register; empty: it can.
func closedForLookup(a dispatch.Account) string {
	switch {
	case a.Disabled():
		return "lookup.disabled"
	case !a.HasSMS():
		return "lookup.no_sms"
	}
	return ""
}

// lookupResult is the requested page of a look-up's answers; the first page if it does not exist.
func lookupResult(c echo.Context, v frame.Visit, l dispatch.Lookup) *compose.LookupResult {
	r := compose.LookupResult{Lookup: l, Group: compose.LookupGroup(c.QueryParam("vis")), SMSKey: uuid.NewString()}
	rows := l.In(r.Group)
	if len(rows) == 0 {
		r.Group, rows = "", l.Entries
	}
	window, err := strconv.Atoi(c.QueryParam("side"))
	if last := (len(rows) + lookupRows - 1) / lookupRows; err != nil || window < 1 || window > last {
		window = 1
	}
	from, to := (window-1)*lookupRows, min(window*lookupRows, len(rows))
	r.Rows = rows[from:to]
	if window > 1 {
		r.Newer = compose.LookupPath(v.Account, r.Group, window-1)
	}
	if to < len(rows) {
		r.Older = compose.LookupPath(v.Account, r.Group, window+1)
	}
	return &r
}

func lookupForm(c echo.Context) (compose.LookupForm, error) {
	values, err := c.FormParams()
	if tooLarge, ok := c.Get(frame.TooLargeKey).(error); ok {
		err = tooLarge
	}
	if err != nil {
		return compose.LookupForm{Key: uuid.NewString()}, frame.BadForm(err)
	}
	f := compose.LookupForm{Key: frame.FormKey(values.Get("nokkel")), Numbers: values.Get(dispatch.FieldNumbers), Purpose: text.Compared(values.Get(dispatch.FieldPurpose))}
	return f, nil
}

// LookUp queries the contact register, and stores the answers for a quarter of an hour. The form's key is an
// idempotency key: posting it again leads to the same answers.
func (s *Lookups) LookUp(c echo.Context, v frame.Visit) error {
	if closedForLookup(v.Account) != "" {
		return frame.SeeOther(c, views.AccountPath(v.Account, "oppslag"))
	}
	f, err := lookupForm(c)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		ps := dispatch.Problems{{Field: dispatch.FieldNumbers, Key: "problem.lookup.large"}}
		return s.showLookupWith(c, v, http.StatusRequestEntityTooLarge, f, ps)
	}
	if err != nil {
		return err
	}
	if kept, err := s.Session.Lookup(frame.Context(c), v.Account.ID, s.Now()); err == nil && kept.Key == f.Key {
		return frame.SeeOther(c, compose.LookupAnswersPath(v.Account))
	}
	l, ps := dispatch.ParseLookup(f.Numbers, f.Purpose)
	ps = ps.With(v.Account.ValidateLookup(l))
	if len(ps) > 0 {
		return s.showLookupWith(c, v, http.StatusUnprocessableEntity, f, ps)
	}
	l.Key, l.At = f.Key, s.Now()
	return s.ask(c, v, l, false, f)
}

// Again repeats the look-up of the numbers without an answer, for the same purpose. It does not extend how long
// the existing answers are stored.
func (s *Lookups) Again(c echo.Context, v frame.Visit) error {
	l, err := s.Session.Lookup(frame.Context(c), v.Account.ID, s.Now())
	if errors.Is(err, store.ErrNotFound) {
		return s.FlashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
	}
	if err != nil {
		return err
	}
	if closedForLookup(v.Account) != "" || len(l.Unanswered()) == 0 {
		return frame.SeeOther(c, compose.LookupAnswersPath(v.Account))
	}
	return s.ask(c, v, l, true, compose.LookupForm{Key: uuid.NewString()})
}

// ask writes to the event log, queries the register, and stores the answers, in this order.
func (s *Lookups) ask(c echo.Context, v frame.Visit, l dispatch.Lookup, again bool, f compose.LookupForm) error {
	refused, err := registry.In(s.Store).Lookups.Begin(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), l, again)
	if err != nil {
		return err
	}
	if refused != nil {
		return s.showLookupWith(c, v, http.StatusTooManyRequests, f, dispatch.Problems{*refused})
	}
	l.Take(s.Upstream.LookUp(frame.Context(c), v.Account, l.Unanswered()))
	err = s.Session.KeepLookup(frame.Context(c), v.Account.ID, l)
	if errors.Is(err, store.ErrNotFound) {
		return frame.ErrSignedOut // the session ended meanwhile
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, compose.LookupAnswersPath(v.Account))
}

// Forget deletes the answers.
func (s *Lookups) Forget(c echo.Context, v frame.Visit) error {
	if err := s.Session.ForgetLookup(frame.Context(c), v.Account.ID); err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
}

// SendToFound makes a draft to everyone with a valid number: an SMS if it is one person, else a job. In an SMS draft a phone number
// from the register is shown in full, which is logged as a reveal.
// as in every draft: that is noted as a reveal.
func (s *Lookups) SendToFound(c echo.Context, v frame.Visit) error {
	l, err := s.Session.Lookup(frame.Context(c), v.Account.ID, s.Now())
	if errors.Is(err, store.ErrNotFound) {
		return s.FlashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
	}
	if err != nil {
		return err
	}
	f, err := lookupForm(c)
	if err != nil {
		return err
	}
	valid := l.Valid()
	switch {
	case len(valid) == 0:
		return frame.SeeOther(c, compose.LookupAnswersPath(v.Account))
	case len(valid) > 1:
		return s.jobToFound(c, v, l, f.Key)
	}
	id, err := items.In(s.Store).SMS.SaveDraftFrom(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), f.Key, dispatch.SMS{Recipient: valid[0]}, items.MadeFrom{Reveals: valid[0].ByPhone()})
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(id), "endre"))
}

// jobToFound creates a draft of a job to the people with a valid number. Phone numbers from the register are sealed
// in it, and shown in full nowhere.
func (s *Lookups) jobToFound(c echo.Context, v frame.Visit, l dispatch.Lookup, key string) error {
	id, err := items.In(s.Store).Jobs.Create(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), key)
	if err == nil {
		_, err = items.In(s.Store).Rows.Fill(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), items.List{Found: true, Rows: eachOf(l.Rows())})
	}
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, frame.JobPath(v, id), "flash.job_already_sent", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, frame.JobPath(v, id, "endre"))
}

// eachOf passes rows one by one.
func eachOf(rows []dispatch.JobRow) func(func(dispatch.JobRow) error) error {
	return func(do func(dispatch.JobRow) error) error {
		for _, r := range rows {
			if err := do(r); err != nil {
				return err
			}
		}
		return nil
	}
}
