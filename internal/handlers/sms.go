package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// smsForm reads the form as typed.
func smsForm(c echo.Context) (views.SMSForm, error) {
	values, err := c.FormParams()
	if err != nil {
		return views.SMSForm{}, badForm(err)
	}
	f := views.SMSForm{
		Key: formKey(values.Get("nokkel")), By: values.Get(dispatch.FieldRecipient), NationalID: values.Get(dispatch.FieldNationalID),
		Phone: values.Get(dispatch.FieldPhone), Text: dispatch.NormalizeText(values.Get(dispatch.FieldText)), Hide: values.Get("skjul") == "true",
		Chosen: values.Get("mal"), Template: views.ParseUse(values.Get("mal-brukt")),
		TimingForm: timingForm(values),
	}
	return f, nil
}

func timingForm(values url.Values) views.TimingForm {
	return views.TimingForm{Day: values.Get(dispatch.FieldSendDay), Clock: values.Get(dispatch.FieldSendTime), Urgent: values.Get(dispatch.FieldUrgent) == "true"}
}

// badForm is a body that is no form; one that is too large keeps its error.
func badForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return echo.ErrBadRequest
}

// newSMS shows an empty form, and the way back to a draft that was left.
func (s *server) newSMS(c echo.Context, v visit) error {
	draft, err := s.o.Store.LatestSMSDraft(ctx(c), v.Account.ID, v.User.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	p := s.smsFormPage(c, v, views.SMSForm{Key: uuid.NewString(), By: views.ByNationalID}, nil)
	p.Draft = draft
	return s.showSMSForm(c, v, http.StatusOK, p)
}

func (s *server) smsFormPage(c echo.Context, v visit, f views.SMSForm, ps dispatch.Problems) views.SMSFormPage {
	p := views.SMSFormPage{Page: s.page(c, v, "sms.new.title"), Form: f, Action: views.AccountPath(v.Account, "sms", "ny")}
	p.Section, p.Narrow, p.Problems = views.SectionNewSMS, true, ps
	return p
}

// measured looks at a text, and at what the account has left for it.
func (s *server) measured(c echo.Context, v visit, text string) (views.Measured, error) {
	quota, err := s.o.Store.SMSQuota(ctx(c), v.Account.ID)
	return views.Measure(text, v.Account, s.o.Municipality, quota), err
}

// formStatus is how a form is answered that has these problems.
func formStatus(ps dispatch.Problems) int {
	if len(ps) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// parseSMS reads what the form says. It comes again when something is wrong, and when the button was pressed that puts
// ordinary characters in the place of look-alikes: then nothing is stored.
func (s *server) parseSMS(c echo.Context, f *views.SMSForm) (m dispatch.SMS, ps dispatch.Problems, again bool) {
	if c.FormValue("bytt") == "true" {
		f.Text = dispatch.Plain(f.Text)
		return m, nil, true
	}
	m, ps = f.Parse(s.o.Now())
	return m, ps, len(ps) > 0
}

// createSMS stores a draft and leads to its review. The same form posted again changes the same draft; once it has been
// sent, it leads to what was sent.
func (s *server) createSMS(c echo.Context, v visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	if choosesTemplate(c, f.Chosen, f.Text) {
		return s.fillSMS(c, v, s.smsFormPage(c, v, f, nil))
	}
	m, ps, again := s.parseSMS(c, &f)
	if again {
		return s.showSMSForm(c, v, formStatus(ps), s.smsFormPage(c, v, f, ps))
	}
	if m.Template, err = s.knownTemplate(c, v, m.Template); err != nil {
		return err
	}
	id, err := s.o.Store.SaveSMSDraft(ctx(c), v.Account.ID, by(c, v.User), f.Key, m)
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if no := noRoom(err, dispatch.FieldText); len(no) > 0 {
		return s.showSMSForm(c, v, formStatus(no), s.smsFormPage(c, v, f, no))
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "sms", string(id), "kontroll"))
}

// noRoom is what a form says where there is no room for what it would make; nothing for other errors.
func noRoom(err error, field string) dispatch.Problems {
	var full store.Full
	if !errors.As(err, &full) {
		return nil
	}
	return dispatch.Problems{full.Of.Full(field)}
}

// draft returns one's own draft. What has been sent meanwhile is shown instead.
func (s *server) draft(c echo.Context, v visit) (dispatch.SMSItem, error) {
	it, err := s.o.Store.SMS(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
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

// toItem leads to the page of the SMS in the address.
func (s *server) toItem(c echo.Context, v visit, flash string) error {
	return s.toPage(c, v, smsPages, flash)
}

func (s *server) editSMS(c echo.Context, v visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.changed")
	}
	if err != nil {
		return err
	}
	p := s.smsEditPage(c, v, views.FormOf(it.SMS, uuid.NewString()), late(it.Timing, s.o.Now()))
	p.Seen = it.Revision
	return s.showSMSForm(c, v, http.StatusOK, p)
}

// late is the problem of a draft whose time has passed.
func late(m dispatch.Timing, now time.Time) dispatch.Problems {
	if !m.Late(now) {
		return nil
	}
	return dispatch.Problems{{Field: dispatch.FieldSendDay, Key: "problem.send_at.past"}}
}

func (s *server) smsEditPage(c echo.Context, v visit, f views.SMSForm, ps dispatch.Problems) views.SMSFormPage {
	p := s.smsFormPage(c, v, f, ps)
	p.Title, p.Editing = s.o.Catalogue.Text("sms.edit.title"), true
	p.Action = views.AccountPath(v.Account, "sms", c.Param("id"), "endre")
	p.Seen = c.FormValue(views.FieldSeen)
	return p
}

func (s *server) changeSMS(c echo.Context, v visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	if _, err := s.draft(c, v); errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.changed")
	} else if err != nil {
		return err
	}
	if choosesTemplate(c, f.Chosen, f.Text) {
		return s.fillSMS(c, v, s.smsEditPage(c, v, f, nil))
	}
	m, ps, again := s.parseSMS(c, &f)
	if again {
		return s.showSMSForm(c, v, formStatus(ps), s.smsEditPage(c, v, f, ps))
	}
	if m.Template, err = s.knownTemplate(c, v, m.Template); err != nil {
		return err
	}
	id := dispatch.ItemID(c.Param("id"))
	err = s.o.Store.ChangeSeenSMSDraft(ctx(c), v.Account.ID, id, by(c, v.User), c.FormValue(views.FieldSeen), m)
	switch {
	case errors.Is(err, store.ErrStale):
		return s.showBothSMS(c, v, f)
	case errors.Is(err, store.ErrChanged):
		return s.toItem(c, v, "flash.changed")
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "sms", string(id), "kontroll"))
}

// showBothSMS shows what is typed here beside what another tab has saved. Saving again keeps what is typed.
func (s *server) showBothSMS(c echo.Context, v visit, typed views.SMSForm) error {
	it, err := s.draft(c, v)
	if err != nil {
		return err
	}
	p := s.smsEditPage(c, v, typed, nil)
	p.Title, p.Seen = s.o.Catalogue.Text("error.stale.title"), it.Revision
	p.Other = views.OtherSMS(typed, views.FormOf(it.SMS, ""), p.Action)
	return s.showSMSForm(c, v, http.StatusConflict, p)
}

// reviewSMS shows a draft in sentences before it is sent.
func (s *server) reviewSMS(c echo.Context, v visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	return s.showReview(c, v, it, nil)
}

func (s *server) showReview(c echo.Context, v visit, it dispatch.SMSItem, ps dispatch.Problems) error {
	held, err := s.o.Store.Hold(ctx(c), v.Account.ID, dispatch.KindSMS)
	if err != nil {
		return err
	}
	measured, err := s.measured(c, v, it.Text)
	if err != nil {
		return err
	}
	it.Segments = measured.Segments
	p := views.SMSReviewPage{Page: s.page(c, v, "sms.review.title"), Item: it, Held: held, Measured: measured}
	p.Section, p.Narrow, p.Problems = views.SectionNewSMS, true, ps
	return show(c, formStatus(ps), views.SMSReview(p))
}

// unseen tells that a draft is not as it was when the page was made whose button was pressed: it was changed in another
// tab, and nobody has looked over what would be sent.
var unseen = dispatch.Problems{{Field: "neste", Key: "problem.unseen"}}

// reviewUnseen shows a draft as it has become.
func (s *server) reviewUnseen(c echo.Context, v visit) error {
	it, err := s.draft(c, v)
	if err != nil {
		return err
	}
	return s.showReview(c, v, it, unseen)
}

// sendSMS queues the draft. A second click, a reload or Back finds it sent and leads to it.
func (s *server) sendSMS(c echo.Context, v visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	if len(it.Validate()) > 0 || it.Late(s.o.Now()) || dispatch.Unfilled(it.Text) != nil {
		return seeOther(c, views.AccountPath(v.Account, "sms", string(it.ID), "endre"))
	}
	err = s.o.Store.QueueSMS(ctx(c), v.Account, it.ID, c.FormValue(views.FieldSeen), by(c, v.User))
	switch {
	case errors.Is(err, store.ErrStale):
		return s.reviewUnseen(c, v)
	case errors.Is(err, store.ErrChanged):
		return s.toItem(c, v, "flash.already_sent")
	case errors.Is(err, store.ErrQuota):
		return s.showReview(c, v, it, dispatch.Problems{{Field: "kvote", Key: "problem.quota"}})
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.toItem(c, v, "flash.queued")
}

func (s *server) discardSMS(c echo.Context, v visit) error {
	err := s.o.Store.DiscardDraft(ctx(c), v.Account.ID, dispatch.KindSMS, dispatch.ItemID(c.Param("id")), by(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.changed")
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, views.AccountPath(v.Account, "sms"), "flash.discarded", 0)
}

// copySMS makes a new draft of one's own SMS that did not come through. A phone that the contact register gave stands in
// its form whole: that is noted as a reveal.
func (s *server) copySMS(c echo.Context, v visit) error {
	it, err := s.o.Store.SMS(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	if err != nil {
		return err
	}
	if it.CreatedBy != v.User.ID || it.Purged() {
		return store.ErrNotFound
	}
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	found, err := s.found(c, v, it)
	if err != nil {
		return err
	}
	it.SendAt = time.Time{} // that was the first one's time
	from := store.MadeFrom{Source: it.ID, Origin: instead(it.Item), Reveals: found}
	id, err := s.o.Store.SaveSMSDraftFrom(ctx(c), v.Account.ID, by(c, v.User), f.Key, it.SMS, from)
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "sms", string(id), "endre"))
}

// found tells whether an SMS of a job goes to a phone that the contact register gave.
func (s *server) found(c echo.Context, v visit, it dispatch.SMSItem) (bool, error) {
	if it.JobID == "" || !it.Recipient.ByPhone() {
		return false, nil
	}
	j, err := s.o.Store.Job(ctx(c), v.Account.ID, it.JobID)
	return j.Found, err
}

// countSMS answers how many parts a text is, while it is written.
func (s *server) countSMS(c echo.Context, v visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	m, err := s.measured(c, v, f.Text)
	if err != nil {
		return err
	}
	return show(c, http.StatusOK, views.SMSCount(s.page(c, v, "sms.new.title"), m))
}

// checkField answers what is to be said about a number when its field is left.
func (s *server) checkField(c echo.Context, _ visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	if f.Phone != "" {
		phone, problem := dispatch.ParsePhone(dispatch.FieldPhone, f.Phone)
		return show(c, http.StatusOK, views.FieldHint(dispatch.FieldPhone, problem, phoneHint(phone)))
	}
	id, problem := dispatch.ParseNationalID(dispatch.FieldNationalID, f.NationalID)
	hint := views.Hint{Key: "hint.national_id.ok", Color: "success"}
	if !id.CheckDigitsFit() {
		hint = views.Hint{Key: "hint.national_id.check", Color: "warning"}
	}
	return show(c, http.StatusOK, views.FieldHint(dispatch.FieldNationalID, problem, hint))
}

func phoneHint(p dispatch.Phone) views.Hint {
	switch {
	case p.LooksWrong():
		return views.Hint{Key: "hint.phone.length", Color: "warning"}
	case p.Foreign():
		return views.Hint{Key: "hint.phone.foreign", Color: "success"}
	}
	return views.Hint{Key: "hint.phone.ok", Color: "success"}
}
