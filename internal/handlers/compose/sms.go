package compose

import (
	"errors"
	"net/http"
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

// New shows an empty form with links to unfinished messages, or the unfinished message named by the address.
func (s *SMS) New(c echo.Context, v frame.Visit) error {
	if key := c.QueryParam(compose.FieldForm); key != "" {
		switch u, err := items.In(s.Store).Forms.ByID(frame.Context(c), v.Account.ID, v.User.ID, key); {
		case err == nil && u.Of == items.UnfinishedNew:
			return s.showSMSForm(c, v, http.StatusOK, s.unfinishedSMS(c, v, u))
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return err
		}
	}
	draft, err := items.In(s.Store).SMS.LatestDraft(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	p := s.smsFormPage(c, v, compose.SMSForm{Key: uuid.NewString(), By: compose.ByNationalID}, nil)
	p.Draft = draft
	if p.Unfinished, err = s.unfinishedForms(c, v); err != nil {
		return err
	}
	return s.showSMSForm(c, v, http.StatusOK, p)
}

// parseSMS parses the form. again tells to show the form again: it has problems, or the button was pressed that
// replaces look-alikes. Then nothing is stored.
func (s *SMS) parseSMS(c echo.Context, v frame.Visit, f *compose.SMSForm) (m dispatch.SMS, ps dispatch.Problems, again bool) {
	if c.FormValue(compose.FieldReplace) != "" {
		f.Text = dispatch.Plain(f.Text)
		return m, nil, true
	}
	m, ps = f.Parse(s.Now())
	if p := v.Account.ValidateNumber(dispatch.KindSMS, dispatch.FieldNationalID, m.Recipient.NationalID); p != nil {
		ps = ps.With(dispatch.Problems{*p})
	}
	return m, ps, len(ps) > 0
}

// Create stores a draft and redirects to its review. The form's key is an idempotency key: posting it again changes the same
// draft, and once that is sent, redirects to it.
func (s *SMS) Create(c echo.Context, v frame.Visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	if choosesTemplate(c, f.Chosen, f.Text) {
		return s.fillSMS(c, v, s.smsFormPage(c, v, f, nil))
	}
	if asksContact(c) {
		return s.askForSMS(c, v, s.smsFormPage(c, v, f, nil))
	}
	m, ps, again := s.parseSMS(c, v, &f)
	if again {
		return s.showSMSForm(c, v, frame.FormStatus(ps), s.smsFormPage(c, v, f, ps))
	}
	if m.Template, err = s.choice.knownTemplate(c, v, m.Template); err != nil {
		return err
	}
	var id dispatch.ItemID
	other, err := s.unfinished.handIn(c, v, sameSMS(f), func(saved int) (err error) {
		id, err = items.In(s.Store).SMS.HandIn(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), f.Key, m, saved)
		return err
	})
	if other != nil {
		return s.showTypedSMS(c, v, s.smsFormPage(c, v, f, nil), *other)
	}
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if no := noRoom(err, dispatch.FieldText); len(no) > 0 {
		return s.showSMSForm(c, v, frame.FormStatus(no), s.smsFormPage(c, v, f, no))
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(id), "kontroll"))
}

// Edit shows the form of an SMS draft.
func (s *SMS) Edit(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.changed")
	}
	if err != nil {
		return err
	}
	if it.AwaitsApproval {
		return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(it.ID), "kontroll"))
	}
	f, typed, err := s.typedSMS(c, v, it)
	if err != nil {
		return err
	}
	p := s.smsEditPage(c, v, f, late(it.Timing, s.Now()).With(v.Account.ValidateSMS(it.SMS).Only(dispatch.ProblemReal)))
	p.Seen, p.Autosave = it.Revision, p.Autosave.With(typed)
	if p.Last, err = items.In(s.Store).Approvals.Last(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return err
	}
	if p.Instead, err = items.In(s.Store).Origins.AlreadyReplaced(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return err
	}
	return s.showSMSForm(c, v, http.StatusOK, p)
}

func (s *SMS) smsEditPage(c echo.Context, v frame.Visit, f compose.SMSForm, ps dispatch.Problems) compose.SMSFormPage {
	p := s.smsFormPage(c, v, f, ps)
	p.Title, p.Editing = i18n.T(frame.Context(c), "sms.edit.title"), true
	p.Action = views.AccountPath(v.Account, "sms", c.Param("id"), "endre")
	p.Autosave.Path = views.AccountPath(v.Account, "sms", c.Param("id"), "lagre")
	p.Seen = c.FormValue(views.FieldSeen)
	return p
}

// Change saves the form of an SMS draft.
func (s *SMS) Change(c echo.Context, v frame.Visit) error {
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
	if asksContact(c) {
		return s.askForSMS(c, v, s.smsEditPage(c, v, f, nil))
	}
	m, ps, again := s.parseSMS(c, v, &f)
	if again {
		return s.showSMSForm(c, v, frame.FormStatus(ps), s.smsEditPage(c, v, f, ps))
	}
	if m.Template, err = s.choice.knownTemplate(c, v, m.Template); err != nil {
		return err
	}
	id := dispatch.ItemID(c.Param("id"))
	other, err := s.unfinished.handIn(c, v, sameSMS(f), func(saved int) error {
		return items.In(s.Store).SMS.ChangeSeenDraft(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), c.FormValue(views.FieldSeen), m, saved)
	})
	switch {
	case other != nil:
		return s.showTypedSMS(c, v, s.smsEditPage(c, v, f, nil), *other)
	case errors.Is(err, store.ErrStale):
		return s.showBothSMS(c, v, f)
	case errors.Is(err, store.ErrChanged):
		return s.toItem(c, v, notChanged(err, "flash.changed"))
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(id), "kontroll"))
}

// showBothSMS shows the posted form beside the version saved from another tab. Saving again keeps the posted one.
func (s *SMS) showBothSMS(c echo.Context, v frame.Visit, typed compose.SMSForm) error {
	it, err := s.draft(c, v)
	if err != nil {
		return err
	}
	p := s.smsEditPage(c, v, typed, nil)
	p.Title, p.Seen = i18n.T(frame.Context(c), "error.stale.title"), it.Revision
	p.Other = compose.OtherSMS(typed, compose.FormOf(it.SMS, ""), p.Action)
	return s.showSMSForm(c, v, http.StatusConflict, p)
}

// Review shows a draft in sentences before it is sent.
func (s *SMS) Review(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	return s.showReview(c, v, it, nil)
}

func (s *SMS) showReview(c echo.Context, v frame.Visit, it dispatch.SMSItem, ps dispatch.Problems) error {
	k := contactOf(v, dispatch.KindSMS)
	k.ByPhone = it.Recipient.ByPhone()
	return s.showReviewWith(c, v, it, k, ps)
}

func (s *SMS) showReviewWith(c echo.Context, v frame.Visit, it dispatch.SMSItem, k compose.Contact, ps dispatch.Problems) error {
	p, err := s.reviewPage(c, v, it, ps)
	if err != nil {
		return err
	}
	p.Contact, p.LooksUp = k, k.Asked
	if p.Approving, err = s.review.itemApproving(c, v, it.ID, p.Item.Sending(v.Account.Prices, p.Measured.Segments.Count)); err != nil {
		return err
	}
	p.Title = reviewTitle(c, p.Approving, p.Title)
	if p.Typed, err = s.unfinished.typedSince(c, v, string(it.ID)); err != nil {
		return err
	}
	if p.Today, err = s.review.smsToday(c, v, it); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), compose.SMSReview(p))
}

// reviewPage is the page of a draft in sentences, for its sender or an approver.
func (s *SMS) reviewPage(c echo.Context, v frame.Visit, it dispatch.SMSItem, ps dispatch.Problems) (compose.SMSReviewPage, error) {
	held, err := s.Store.Block(frame.Context(c), v.Account.ID, dispatch.KindSMS)
	if err != nil {
		return compose.SMSReviewPage{}, err
	}
	measured, err := s.measure.measured(c, v, it.Text)
	if err != nil {
		return compose.SMSReviewPage{}, err
	}
	it.Segments = measured.Segments
	p := compose.SMSReviewPage{Page: s.Page(c, v, "sms.review.title"), Item: it, Held: held, Measured: measured}
	p.Section, p.Narrow, p.Problems = views.SectionNewSMS, true, ps
	p.Other, err = items.In(s.Store).Origins.AlreadyReplaced(frame.Context(c), v.Account.ID, it.ID)
	return p, err
}

// reviewUnseen shows the review of the changed draft.
func (s *SMS) reviewUnseen(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if err != nil {
		return err
	}
	return s.showReview(c, v, it, unseen)
}

// Send queues the draft. A repeated request finds it sent and redirects to it.
func (s *SMS) Send(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	if len(v.Account.ValidateSMS(it.SMS)) > 0 || it.Late(s.Now()) || dispatch.Unfilled(it.Text) != nil {
		return s.review.notSent(c, views.AccountPath(v.Account, "sms", string(it.ID), "endre"))
	}
	flash, seen, by := "flash.queued", c.FormValue(views.FieldSeen), frame.Sender(c, v)
	by.Anyway = c.FormValue(views.FieldAnyway) == "true"
	if asksApproval(c) {
		flash, err = "flash.asked", items.In(s.Store).Approvals.AskSMS(frame.Context(c), v.Account, it.ID, seen, by)
	} else {
		err = items.In(s.Store).SMS.Queue(frame.Context(c), v.Account, it.ID, seen, by)
	}
	switch {
	case errors.Is(err, items.ErrApproval):
		return s.showReview(c, v, it, unapproved)
	case errors.Is(err, items.ErrSecond):
		return s.showReview(c, v, it, second)
	case errors.Is(err, items.ErrProtected):
		ps, err := s.review.protectedRecipient(c, v, dispatch.Search{NationalID: it.Recipient.NationalID, Phone: it.Recipient.Phone})
		if err != nil {
			return err
		}
		return s.showReview(c, v, it, ps)
	case errors.Is(err, store.ErrStale):
		return s.reviewUnseen(c, v)
	case errors.Is(err, store.ErrChanged):
		return s.toItem(c, v, notChanged(err, "flash.already_sent"))
	case errors.Is(err, items.ErrBudget):
		return s.showReview(c, v, it, overBudget(err, v.Account))
	case errors.Is(err, items.ErrQuota):
		return s.showReview(c, v, it, dispatch.Problems{{Field: "kvote", Key: "problem.quota"}})
	}
	if err != nil {
		return err
	}
	s.Wake()
	return s.ToSent(c, v, views.AccountPath(v.Account, "sms", string(it.ID)), flash, it.Timing)
}

// Discard discards an SMS draft.
func (s *SMS) Discard(c echo.Context, v frame.Visit) error {
	err := items.In(s.Store).Drafts.Discard(frame.Context(c), v.Account.ID, dispatch.KindSMS, dispatch.ItemID(c.Param("id")), frame.Actor(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, notChanged(err, "flash.changed"))
	}
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "sms"), "flash.discarded", 0)
}

// Copy makes a new draft of a failed SMS; a colleague's takes a reason. A phone number from the contact register is shown in
// full, which is logged as a reveal.
func (s *SMS) Copy(c echo.Context, v frame.Visit) error {
	it, err := items.In(s.Store).SMS.ByID(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	if err != nil {
		return err
	}
	if it.State == dispatch.StateDraft && it.CreatedBy != v.User.ID || it.Purged() {
		return store.ErrNotFound
	}
	return s.ToCopy(c, v, frame.SMSPages.ContentOf(v, it.Item), func(reason string) error { return s.copySMS(c, v, it, reason) }, "nokkel")
}

func (s *SMS) copySMS(c echo.Context, v frame.Visit, it dispatch.SMSItem, reason string) error {
	if it.EndedBadly() {
		d, err := draftInstead(c, s.Frame, v, it.Item)
		if err != nil {
			return err
		}
		if d != "" {
			return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(d), "endre"))
		}
	}
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	found, err := s.found(c, v, it)
	if err != nil {
		return err
	}
	it.SendAt = time.Time{} // the planned time was the original's
	from := items.MadeFrom{Source: it.ID, Origin: instead(it.EndedBadly()), Reveals: found}
	id, err := items.In(s.Store).SMS.SaveDraftFrom(frame.Context(c), v.Account.ID, frame.Because(c, v.User, reason), f.Key, it.SMS, from)
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	path := views.AccountPath(v.Account, "sms", string(id), "endre")
	if from.Origin != "" { // the page says it
		return frame.SeeOther(c, path)
	}
	return s.FlashTo(c, path, "flash.sms_copied", 0)
}

// CheckField answers the warning about a number when its field loses focus.
func (s *SMS) CheckField(c echo.Context, v frame.Visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	if f.Phone != "" {
		phone, problem := dispatch.ParsePhone(dispatch.FieldPhone, f.Phone)
		return frame.Show(c, http.StatusOK, views.FieldHint(dispatch.FieldPhone, problem, phoneHint(phone)))
	}
	id, problem := dispatch.ParseNationalID(dispatch.FieldNationalID, f.NationalID)
	if problem == nil {
		problem = v.Account.ValidateNumber(dispatch.KindSMS, dispatch.FieldNationalID, id)
	}
	hint := views.Hint{Key: "hint.national_id.ok", Color: "success"}
	if !id.CheckDigitsFit() {
		hint = views.Hint{Key: "hint.national_id.check", Color: "warning"}
	}
	return frame.Show(c, http.StatusOK, views.FieldHint(dispatch.FieldNationalID, problem, hint))
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

// Count answers the live analysis of a text.
func (s *SMS) Count(c echo.Context, v frame.Visit) error {
	f, err := smsForm(c)
	if err != nil {
		return err
	}
	m, err := s.measure.measured(c, v, f.Text)
	return s.measure.showCount(c, v, m, err)
}

// AskContact shows the review of an SMS with the register's answer about its recipient.
func (s *SMS) AskContact(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	k, ps := contactOf(v, dispatch.KindSMS), dispatch.Problems(nil)
	if k.ByPhone = it.Recipient.ByPhone(); !k.ByPhone {
		if k, ps, err = s.contacts.askContact(c, v, dispatch.KindSMS, dispatch.FieldNumbers, dispatch.LookupNumber(it.Recipient.NationalID), nil); err != nil {
			return err
		}
	}
	return s.showReviewWith(c, v, it, k, ps)
}

// askForSMS shows a form again with the register's answer about the typed recipient. Nothing is saved.
func (s *SMS) askForSMS(c echo.Context, v frame.Visit, p compose.SMSFormPage) error {
	var ps dispatch.Problems
	var err error
	if p.Form.By == compose.ByPhone {
		p.Contact.ByPhone = true
	} else {
		id, wrong := dispatch.ParseNationalID(dispatch.FieldNationalID, p.Form.NationalID)
		if p.Contact, ps, err = s.contacts.askContact(c, v, dispatch.KindSMS, dispatch.FieldNationalID, dispatch.LookupNumber(id), wrong); err != nil {
			return err
		}
	}
	p.Problems, p.LooksUp = ps, p.Contact.Asked
	return s.showSMSForm(c, v, frame.FormStatus(ps), p)
}

// fillSMS shows the form of an SMS again with the text of the chosen template.
func (s *SMS) fillSMS(c echo.Context, v frame.Visit, p compose.SMSFormPage) error {
	f := filling{Text: p.Form.Text, Chosen: p.Form.Chosen, Used: p.Form.Template}
	if err := s.choice.fillFromTemplate(c, v, &f); err != nil {
		return err
	}
	p.Form.Text, p.Form.Chosen, p.Form.Template, p.Choice, p.Problems = f.Text, f.Chosen, f.Used, f.Choice, f.Problems
	return s.showSMSForm(c, v, frame.FormStatus(p.Problems), p)
}
