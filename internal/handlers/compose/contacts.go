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

// contactList is the visitor's own draft with a list: of an SMS job, or of a shipment.
type contactList struct {
	job   dispatch.Job
	draft dispatch.ItemID
}

func (l contactList) path(v frame.Visit, more string) string {
	return compose.ContactsPath(v.Account, l.job, l.draft, more)
}

// onContacts wraps a handler of an SMS job's list.
func (s *Contacts) onContacts(do func(echo.Context, frame.Visit, contactList) error) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		j, err := s.jobs.jobDraft(c, v)
		if err == nil {
			err = do(c, v, contactList{job: j})
		}
		return s.jobs.jobGone(c, v, err)
	}
}

// onShipmentContacts wraps a handler of a shipment's list.
func (s *Contacts) onShipmentContacts(do func(echo.Context, frame.Visit, contactList) error) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		l, err := s.lists.listDraft(c, v)
		if err == nil && l.job.List.Read == 0 {
			return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
		}
		if err == nil {
			err = do(c, v, contactList{l.job, l.Item.ID})
		}
		if err != nil {
			return s.drafts.draftGone(c, v, err)
		}
		return nil
	}
}

// Show tells which recipients of a list can be reached; ShowShipmentContacts does for shipments.
func (s *Contacts) Show(c echo.Context, v frame.Visit) error {
	return s.onContacts(s.showContacts)(c, v)
}

// ShowShipments is ShowContacts of a shipment's list.
func (s *Contacts) ShowShipments(c echo.Context, v frame.Visit) error {
	return s.onShipmentContacts(s.showContacts)(c, v)
}

// Ask asks the contact register about the recipients of a list without an answer.
func (s *Contacts) Ask(c echo.Context, v frame.Visit) error {
	return s.onContacts(s.askContacts)(c, v)
}

// AskShipments is AskContacts of a shipment's list.
func (s *Contacts) AskShipments(c echo.Context, v frame.Visit) error {
	return s.onShipmentContacts(s.askContacts)(c, v)
}

func (s *Contacts) showContacts(c echo.Context, v frame.Visit, l contactList) error {
	p, err := s.contactsPage(c, v, l)
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, compose.Contacts(p))
}

// contactsAgain shows the page again with its problems.
func (s *Contacts) contactsAgain(c echo.Context, v frame.Visit, l contactList, ps dispatch.Problems) error {
	p, err := s.contactsPage(c, v, l)
	if err != nil {
		return err
	}
	p.Problems, p.Purpose, p.LooksUp = ps, text.Compared(c.FormValue(dispatch.FieldPurpose)), ps.For(compose.FieldRest) == nil
	return frame.Show(c, frame.FormStatus(ps), compose.Contacts(p))
}

// askContacts writes to the event log, asks the register, and stores of the answers only which rows can be reached.
func (s *Contacts) askContacts(c echo.Context, v frame.Visit, l contactList) error {
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
	before, err := items.In(s.Store).Rows.ContactForecast(frame.Context(c), v.Account.ID, l.job.ID)
	if err != nil {
		return err
	}
	asking, refused, err := registry.In(s.Store).Lookups.BeginList(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), asking, before.Asked())
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
	n, err := items.In(s.Store).Rows.KeepContacts(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rows, func(r dispatch.JobRow) dispatch.LookupGroup { return groups[r.LookupNumber()] })
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
func (s *Contacts) unasked(c echo.Context, v frame.Visit, l contactList) (asking dispatch.Lookup, rows []dispatch.JobRow, err error) {
	asking.Job = l.job.ID
	seen := map[dispatch.LookupNumber]bool{}
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, l.job.ID, items.RowsUnasked) {
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
func (s *Contacts) OnlyReachable(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		rest := rest(c)
		err := items.In(s.Store).Rows.LeaveOutRest(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rest)
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
func (s *Contacts) TakeInLeftOut(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		n, err := items.In(s.Store).Rows.TakeInLeftOut(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User))
		if err != nil {
			return err
		}
		return s.FlashTo(c, l.path(v, "kan-nas"), "flash.reach_taken_in", int(n))
	})(c, v)
}

// ShipmentToRest moves recipients whom no SMS reaches from an SMS job to a new draft of a shipment.
func (s *Contacts) ShipmentToRest(c echo.Context, v frame.Visit) error {
	return s.onContacts(func(c echo.Context, v frame.Visit, l contactList) error {
		if !v.User.May(dispatch.RightSendShipments, v.Account.ID) || !v.Account.HasShipments() {
			return echo.ErrForbidden
		}
		rest := rest(c)
		id, err := items.In(s.Store).Rows.ShipmentToRest(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), rest, items.RestShipment{
			Key: frame.FormKey(c.FormValue("nokkel")), Fields: compose.NewShipmentForm(v.Account),
			Reading: func() dispatch.ListReading { return recipients.LetterReading(l.job.Columns) },
			Row: func(r dispatch.JobRow) dispatch.JobRow {
				return s.lists.fillPlace(recipients.Letter(l.job.Columns, r), dispatch.PostalAddress{})
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

func (s *Contacts) contactsPage(c echo.Context, v frame.Visit, l contactList) (compose.ContactsPage, error) {
	k := contactOf(v, l.job.Kind)
	p := compose.ContactsPage{Page: s.Page(c, v, "reach.title"), Job: l.job, Draft: l.draft, May: k.May, Closed: k.Closed, Key: uuid.NewString(),
		MaySendShipments: v.User.May(dispatch.RightSendShipments, v.Account.ID) && v.Account.HasShipments()}
	if p.Section, p.Narrow = views.SectionJobs, true; l.draft != "" {
		p.Section = views.SectionNewShipment
	}
	p.Name, p.Address = recipients.AddressFields(l.job.Columns)
	var err error
	if p.Forecast, err = items.In(s.Store).Rows.ContactForecast(frame.Context(c), v.Account.ID, l.job.ID); err != nil {
		return p, err
	}
	return p, s.contacts.countNumberless(c, v, l.job, &p.Forecast)
}
