package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/text"
	"utsending/internal/views"
)

// lookupRows is how many answers a page shows.
const lookupRows = 100

// showLookup shows the form, and the answers while they are kept.
func (s *server) showLookup(c echo.Context, v visit) error {
	return s.showLookupWith(c, v, http.StatusOK, views.LookupForm{Key: uuid.NewString()}, nil)
}

func (s *server) showLookupWith(c echo.Context, v visit, status int, f views.LookupForm, ps dispatch.Problems) error {
	p := views.LookupPage{Page: s.page(c, v, "lookup.title"), Form: f, Closed: closedForLookup(v.Account)}
	p.Section, p.Problems = views.SectionLookup, ps
	l, err := s.o.Session.Lookup(ctx(c), v.Account.ID, s.o.Now())
	switch {
	case err == nil:
		p.Result = lookupResult(c, v, l)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return show(c, status, views.Lookup(p))
}

// closedForLookup is why an account cannot ask the register, if so.
func closedForLookup(a dispatch.Account) string {
	switch {
	case a.Disabled():
		return "lookup.disabled"
	case !a.HasSMS():
		return "lookup.no_sms"
	}
	return ""
}

// lookupResult is the window of a look-up's answers that the address asks for; the first for one that is not there.
func lookupResult(c echo.Context, v visit, l dispatch.Lookup) *views.LookupResult {
	r := views.LookupResult{Lookup: l, Group: views.LookupGroup(c.QueryParam("vis")), SMSKey: uuid.NewString()}
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
		r.Newer = views.LookupPath(v.Account, r.Group, window-1)
	}
	if to < len(rows) {
		r.Older = views.LookupPath(v.Account, r.Group, window+1)
	}
	return &r
}

func lookupForm(c echo.Context) (views.LookupForm, error) {
	values, err := c.FormParams()
	if tooLarge, ok := c.Get(tooLargeKey).(error); ok {
		err = tooLarge
	}
	if err != nil {
		return views.LookupForm{Key: uuid.NewString()}, badForm(err)
	}
	f := views.LookupForm{Key: formKey(values.Get("nokkel")), Numbers: values.Get(dispatch.FieldNumbers), Purpose: text.Compared(values.Get(dispatch.FieldPurpose))}
	return f, nil
}

// lookUp asks the contact register, and keeps what it answers for a quarter of an hour. The same form posted again leads
// to the same answers.
func (s *server) lookUp(c echo.Context, v visit) error {
	if closedForLookup(v.Account) != "" {
		return seeOther(c, views.AccountPath(v.Account, "oppslag"))
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
	if kept, err := s.o.Session.Lookup(ctx(c), v.Account.ID, s.o.Now()); err == nil && kept.Key == f.Key {
		return seeOther(c, views.LookupAnswersPath(v.Account))
	}
	l, ps := dispatch.ParseLookup(f.Numbers, f.Purpose)
	if len(ps) > 0 {
		return s.showLookupWith(c, v, http.StatusUnprocessableEntity, f, ps)
	}
	l.Key, l.At = f.Key, s.o.Now()
	return s.ask(c, v, l, false, f)
}

// lookUpAgain asks once more about the numbers that have no answer, for the same purpose. What has been answered is kept
// no longer for that.
func (s *server) lookUpAgain(c echo.Context, v visit) error {
	l, err := s.o.Session.Lookup(ctx(c), v.Account.ID, s.o.Now())
	if errors.Is(err, store.ErrNotFound) {
		return s.flashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
	}
	if err != nil {
		return err
	}
	if closedForLookup(v.Account) != "" || len(l.Unanswered()) == 0 {
		return seeOther(c, views.LookupAnswersPath(v.Account))
	}
	return s.ask(c, v, l, true, views.LookupForm{Key: uuid.NewString()})
}

// ask writes to the event log, asks, and keeps the answers, in this order.
func (s *server) ask(c echo.Context, v visit, l dispatch.Lookup, again bool, f views.LookupForm) error {
	refused, err := s.o.Store.BeginLookup(ctx(c), v.Account.ID, by(c, v.User), l, again)
	if err != nil {
		return err
	}
	if refused != nil {
		return s.showLookupWith(c, v, http.StatusTooManyRequests, f, dispatch.Problems{*refused})
	}
	l.Take(s.o.Upstream.LookUp(ctx(c), v.Account, l.Unanswered()))
	err = s.o.Session.KeepLookup(ctx(c), v.Account.ID, l)
	if errors.Is(err, store.ErrNotFound) {
		return errSignedOut // the session ended while we asked
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.LookupAnswersPath(v.Account))
}

// forgetLookup forgets the answers before their time.
func (s *server) forgetLookup(c echo.Context, v visit) error {
	if err := s.o.Session.ForgetLookup(ctx(c), v.Account.ID); err != nil {
		return err
	}
	return s.flashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
}

// sendToFound makes a draft to those who have a valid number. To one, it is an SMS: a phone that the register gave stands in the form whole,
// as in every draft: that is noted as a reveal.
func (s *server) sendToFound(c echo.Context, v visit) error {
	l, err := s.o.Session.Lookup(ctx(c), v.Account.ID, s.o.Now())
	if errors.Is(err, store.ErrNotFound) {
		return s.flashTo(c, views.AccountPath(v.Account, "oppslag"), "flash.lookup_forgotten", 0)
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
		return seeOther(c, views.LookupAnswersPath(v.Account))
	case len(valid) > 1:
		return s.jobToFound(c, v, l, f.Key)
	}
	id, err := s.o.Store.SaveSMSDraftFrom(ctx(c), v.Account.ID, by(c, v.User), f.Key, dispatch.SMS{Recipient: valid[0]}, store.MadeFrom{Reveals: valid[0].ByPhone()})
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "sms", string(id), "endre"))
}

// jobToFound makes a draft of a job to those who have a valid number. Phones that the register gave are sealed in it, and
// shown nowhere whole.
func (s *server) jobToFound(c echo.Context, v visit, l dispatch.Lookup, key string) error {
	id, err := s.o.Store.CreateJob(ctx(c), v.Account.ID, by(c, v.User), key)
	if err == nil {
		_, err = s.o.Store.FillJob(ctx(c), v.Account.ID, id, by(c, v.User), store.List{Found: true, Rows: eachOf(l.Rows())})
	}
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, jobPath(v, id), "flash.job_already_sent", 0)
	}
	if err != nil {
		return err
	}
	return seeOther(c, jobPath(v, id, "endre"))
}

// eachOf hands rows over one by one.
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
