package compose

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// askContact writes to the event log, then asks the contact register about one recipient, unless its number is wrong. The answer is
// shown and stored nowhere. field is where a number that the register must not get is corrected.
func (s *Pages) askContact(c echo.Context, v frame.Visit, kind dispatch.Kind, field string, number dispatch.LookupNumber, wrong *dispatch.Problem) (compose.Contact, dispatch.Problems, error) {
	k := contactAsked(c, v, kind)
	switch {
	case !k.May:
		return k, nil, echo.ErrForbidden
	case k.Closed != "":
		return k, nil, nil
	}
	purpose, unsaid := dispatch.ParsePurpose(k.Purpose)
	l := dispatch.Lookup{Purpose: purpose, Entries: []dispatch.LookupEntry{{Line: 1, Number: number}}}
	if wrong == nil && len(v.Account.ValidateLookup(l)) > 0 {
		wrong = &dispatch.Problem{Field: field, Key: dispatch.ProblemReal}
	}
	var ps dispatch.Problems
	for _, p := range []*dispatch.Problem{wrong, unsaid} {
		if p != nil {
			ps = append(ps, *p)
		}
	}
	if len(ps) > 0 {
		return k, ps, nil
	}
	refused, err := registry.In(s.Store).BeginLookup(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), l, false)
	if err != nil {
		return k, nil, err
	}
	if refused != nil {
		return k, dispatch.Problems{*refused}, nil
	}
	l.Take(s.Upstream.LookUp(frame.Context(c), v.Account, l.Unanswered()))
	k.Entry, k.Strange, k.Failure, k.Answer = &l.Entries[0], l.Strange, l.Failure, l.Answer
	return k, nil, nil
}

// askForSMS shows a form again with the register's answer about the typed recipient. Nothing is saved.
func (s *Pages) askForSMS(c echo.Context, v frame.Visit, p compose.SMSFormPage) error {
	var ps dispatch.Problems
	var err error
	if p.Form.By == compose.ByPhone {
		p.Contact.ByPhone = true
	} else {
		id, wrong := dispatch.ParseNationalID(dispatch.FieldNationalID, p.Form.NationalID)
		if p.Contact, ps, err = s.askContact(c, v, dispatch.KindSMS, dispatch.FieldNationalID, dispatch.LookupNumber(id), wrong); err != nil {
			return err
		}
	}
	p.Problems, p.LooksUp = ps, p.Contact.Asked
	return s.showSMSForm(c, v, frame.FormStatus(ps), p)
}

// AskSMSContact shows the review of an SMS with the register's answer about its recipient.
func (s *Pages) AskSMSContact(c echo.Context, v frame.Visit) error {
	it, err := s.draft(c, v)
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.already_sent")
	}
	if err != nil {
		return err
	}
	k, ps := contactOf(v, dispatch.KindSMS), dispatch.Problems(nil)
	if k.ByPhone = it.Recipient.ByPhone(); !k.ByPhone {
		if k, ps, err = s.askContact(c, v, dispatch.KindSMS, dispatch.FieldNumbers, dispatch.LookupNumber(it.Recipient.NationalID), nil); err != nil {
			return err
		}
	}
	return s.showReviewWith(c, v, it, k, ps)
}

// askForDraft shows a saved draft of a shipment with the register's answer about its recipient.
func (s *Pages) askForDraft(c echo.Context, v frame.Visit, d dispatch.Draft, f dispatch.DraftFields) error {
	r := dispatch.ShipmentRecipient{Number: f.Number}
	_, wrong := r.Address()
	number := dispatch.JobRow{Shipment: &r}.LookupNumber()
	if wrong == nil && number == "" {
		wrong = &dispatch.Problem{Field: dispatch.FieldRecipientNumber, Key: "problem.reach.number"}
	}
	k, ps, err := s.askContact(c, v, dispatch.KindShipment, dispatch.FieldRecipientNumber, number, wrong)
	if err != nil {
		return err
	}
	p, err := s.wholeDraft(c, v, d, f, ps)
	if err != nil {
		return err
	}
	p.Contact, p.LooksUp = k, k.Asked
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentNew(p))
}

// AskDraftContact shows the review of a shipment with the register's answer about its recipient.
func (s *Pages) AskDraftContact(c echo.Context, v frame.Visit) error {
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	content, ps := s.parseDraft(v, d, f)
	number := dispatch.LookupNumber(content.Recipient.Digital.NationalID)
	if number == "" {
		number = dispatch.LookupNumber(content.Recipient.Digital.OrganizationNumber)
	}
	many, err := s.toMany(c, v, d.Item.ID)
	if err != nil {
		return err
	}
	if number == "" || many > 0 || len(ps)+len(f.Unfilled(nil)) > 0 {
		return frame.SeeOther(c, frame.DraftPath(v, d.Item.ID, "kontroll"))
	}
	k, ps, err := s.askContact(c, v, dispatch.KindShipment, dispatch.FieldNumbers, number, nil)
	if err != nil {
		return err
	}
	return s.showDraftReviewWith(c, v, d, content, k, ps)
}

// contactList is the visitor's own draft with a list: of an SMS job, or of a shipment.
type contactList struct {
	job   dispatch.Job
	draft dispatch.ItemID
}

func (l contactList) path(v frame.Visit, more string) string {
	return compose.ContactsPath(v.Account, l.job, l.draft, more)
}

// onContacts wraps a handler of an SMS job's list.
func (s *Pages) onContacts(do func(echo.Context, frame.Visit, contactList) error) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		j, err := s.jobDraft(c, v)
		if err == nil {
			err = do(c, v, contactList{job: j})
		}
		return s.jobGone(c, v, err)
	}
}

// onShipmentContacts wraps a handler of a shipment's list.
func (s *Pages) onShipmentContacts(do func(echo.Context, frame.Visit, contactList) error) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		l, err := s.listDraft(c, v)
		if err == nil && l.job.List.Read == 0 {
			return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
		}
		if err == nil {
			err = do(c, v, contactList{l.job, l.Item.ID})
		}
		if err != nil {
			return s.draftGone(c, v, err)
		}
		return nil
	}
}

// ShowContacts tells which recipients of a list can be reached; ShowShipmentContacts does for shipments.
func (s *Pages) ShowContacts(c echo.Context, v frame.Visit) error {
	return s.onContacts(s.showContacts)(c, v)
}

// ShowShipmentContacts is ShowContacts of a shipment's list.
func (s *Pages) ShowShipmentContacts(c echo.Context, v frame.Visit) error {
	return s.onShipmentContacts(s.showContacts)(c, v)
}

// AskContacts asks the contact register about the recipients of a list without an answer.
func (s *Pages) AskContacts(c echo.Context, v frame.Visit) error {
	return s.onContacts(s.askContacts)(c, v)
}

// AskShipmentContacts is AskContacts of a shipment's list.
func (s *Pages) AskShipmentContacts(c echo.Context, v frame.Visit) error {
	return s.onShipmentContacts(s.askContacts)(c, v)
}

func (s *Pages) showContacts(c echo.Context, v frame.Visit, l contactList) error {
	p, err := s.contactsPage(c, v, l)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, compose.Contacts(p))
}

func (s *Pages) contactsPage(c echo.Context, v frame.Visit, l contactList) (compose.ContactsPage, error) {
	k := contactOf(v, l.job.Kind)
	p := compose.ContactsPage{Page: s.Page(c, v, "reach.title"), Job: l.job, Draft: l.draft, May: k.May, Closed: k.Closed, Key: uuid.NewString(),
		MaySendShipments: v.User.May(dispatch.RightSendShipments, v.Account.ID) && v.Account.HasShipments()}
	if p.Section, p.Narrow = views.SectionJobs, true; l.draft != "" {
		p.Section = views.SectionNewShipment
	}
	p.Name, p.Address = recipients.AddressFields(l.job.Columns)
	var err error
	if p.Forecast, err = items.In(s.Store).ContactForecast(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
		return p, err
	}
	return p, s.countNumberless(c, v, l.job, &p.Forecast)
}

// contactsAgain shows the page again with its problems.
func (s *Pages) contactsAgain(c echo.Context, v frame.Visit, l contactList, ps dispatch.Problems) error {
	p, err := s.contactsPage(c, v, l)
	if err != nil {
		return err
	}
	p.Problems, p.Purpose, p.LooksUp = ps, text.Compared(c.FormValue(dispatch.FieldPurpose)), ps.For(compose.FieldRest) == nil
	return frame.Show(c, frame.FormStatus(ps), compose.Contacts(p))
}

// askContacts writes to the event log, asks the register, and stores of the answers only which rows can be reached.
func (s *Pages) askContacts(c echo.Context, v frame.Visit, l contactList) error {
	if !v.User.May(dispatch.RightLookup, v.Account.ID) {
		return echo.ErrForbidden
	}
	if closedForLookup(v.Account) != "" || l.job.AwaitsApproval {
		return frame.SeeOther(c, l.path(v, "kan-nas"))
	}
	purpose, wrong := dispatch.ParsePurpose(text.Compared(c.FormValue(dispatch.FieldPurpose)))
	if wrong != nil {
		return s.contactsAgain(c, v, l, dispatch.Problems{*wrong})
	}
	asking, rows, err := s.unasked(c, v, l)
	if err != nil {
		return err
	}
	if len(asking.Entries) == 0 {
		return frame.SeeOther(c, l.path(v, "kan-nas"))
	}
	asking.Purpose = purpose
	before, err := items.In(s.Store).ContactForecast(frame.Context(c), v.Account.ID, l.job.ID)
	if err != nil {
		return err
	}
	asking, refused, err := registry.In(s.Store).BeginListLookup(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), asking, before.Asked())
	if err != nil {
		return err
	}
	if refused != nil {
		return s.contactsAgain(c, v, l, dispatch.Problems{*refused})
	}
	asking.Take(s.Upstream.LookUp(frame.Context(c), v.Account, asking.Unanswered()))
	groups := make(map[dispatch.LookupNumber]dispatch.LookupGroup, len(asking.Entries))
	for _, e := range asking.Entries {
		groups[e.Number] = e.Group()
	}
	n, err := items.In(s.Store).KeepContacts(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rows, func(r dispatch.JobRow) dispatch.LookupGroup { return groups[r.LookupNumber()] })
	if err != nil {
		return err
	}
	missing := len(asking.Unanswered())
	if missing+asking.Strange+asking.Extra == 0 {
		return s.FlashTo(c, l.path(v, "kan-nas"), "flash.reach_asked", n)
	}
	p, err := s.contactsPage(c, v, l)
	if err != nil {
		return err
	}
	p.N, p.Failure, p.Answer, p.Strange, p.Extra, p.Purpose = missing, asking.Failure, asking.Answer, asking.Strange, asking.Extra, purpose
	return frame.Show(c, http.StatusOK, compose.Contacts(p))
}

// unasked reads rows without an answer, up to the number that can be looked up at once.
func (s *Pages) unasked(c echo.Context, v frame.Visit, l contactList) (asking dispatch.Lookup, rows []dispatch.JobRow, err error) {
	asking.Job = l.job.ID
	seen := map[dispatch.LookupNumber]bool{}
	for r, err := range items.In(s.Store).EachJobRow(frame.Context(c), v.Account.ID, l.job.ID, items.RowsUnasked) {
		if err != nil {
			return asking, nil, err
		}
		n := r.LookupNumber()
		switch {
		case n == "":
			continue
		case !seen[n] && len(asking.Entries) == dispatch.LookupMax:
			return asking, rows, nil
		case !seen[n]:
			seen[n] = true
			asking.Entries = append(asking.Entries, dispatch.LookupEntry{Line: r.Position, Number: n})
		}
		rows = append(rows, r)
	}
	return asking, rows, nil
}

// rest is the choice of recipients whom no SMS reaches, as the form has it.
func rest(c echo.Context) items.Rest {
	n, err := strconv.Atoi(c.FormValue(compose.FieldRest))
	if err != nil {
		n = -1
	}
	return items.Rest{Unclear: c.FormValue(compose.FieldUnclear) == "true", N: n, Seen: c.FormValue(views.FieldSeen)}
}

// OnlyReachable leaves recipients whom no SMS reaches out of an SMS job.
func (s *Pages) OnlyReachable(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		rest := rest(c)
		err := items.In(s.Store).LeaveOutRest(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rest)
		if errors.Is(err, store.ErrStale) {
			return s.contactsAgain(c, v, l, restChanged)
		}
		if err != nil {
			return err
		}
		return s.FlashTo(c, l.path(v, "endre"), "flash.reach_left_out", rest.N)
	})(c, v)
}

// restChanged is the problem that the number of recipients whom no SMS reaches has changed since the page was made.
var restChanged = dispatch.Problems{{Field: compose.FieldRest, Key: "problem.reach.changed"}}

// TakeInLeftOut puts left out rows back into an SMS job.
func (s *Pages) TakeInLeftOut(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		n, err := items.In(s.Store).TakeInLeftOut(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User))
		if err != nil {
			return err
		}
		return s.FlashTo(c, l.path(v, "kan-nas"), "flash.reach_taken_in", int(n))
	})(c, v)
}

// ShipmentToRest moves recipients whom no SMS reaches from an SMS job to a new draft of a shipment.
func (s *Pages) ShipmentToRest(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		if !v.User.May(dispatch.RightSendShipments, v.Account.ID) || !v.Account.HasShipments() {
			return echo.ErrForbidden
		}
		rest := rest(c)
		id, err := items.In(s.Store).ShipmentToRest(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rest, items.RestShipment{
			Key: frame.FormKey(c.FormValue("nokkel")), Fields: compose.NewShipmentForm(v.Account),
			Reading: func() dispatch.ListReading { return recipients.LetterReading(l.job.Columns) },
			Row: func(r dispatch.JobRow) dispatch.JobRow {
				return s.fillPlace(recipients.Letter(l.job.Columns, r), dispatch.PostalAddress{})
			},
		})
		no := noRoom(err, compose.FieldRest)
		switch {
		case len(no) > 0:
			return s.contactsAgain(c, v, l, no)
		case errors.Is(err, store.ErrStale), errors.Is(err, items.ErrEmpty):
			return s.contactsAgain(c, v, l, restChanged)
		case errors.Is(err, items.ErrTooMany):
			return s.contactsAgain(c, v, l, dispatch.Problems{{Field: compose.FieldRest, Key: "problem.list.rows", Args: dispatch.Args{"N": dispatch.ShipmentRowsMax}}})
		case err != nil:
			return err
		}
		return s.FlashTo(c, frame.DraftPath(v, id, "flere"), "flash.reach_letters", rest.N)
	})(c, v)
}
