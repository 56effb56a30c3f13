package compose

import (
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/text"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// contactOf is the contact panel of a draft before the register is asked.
func contactOf(v frame.Visit, kind dispatch.Kind) compose.Contact {
	return compose.Contact{Kind: kind, May: v.User.May(dispatch.RightLookup, v.Account.ID), Closed: closedForLookup(v.Account)}
}

// contactAsked is the contact panel when its button was pressed.
func contactAsked(c echo.Context, v frame.Visit, kind dispatch.Kind) compose.Contact {
	k := contactOf(v, kind)
	k.Asked, k.Purpose = true, text.Compared(c.FormValue(dispatch.FieldPurpose))
	return k
}

// asksContact tells whether the form was posted by the button that asks the contact register.
func asksContact(c echo.Context) bool { return c.FormValue("neste") == compose.AskContact }

// contactForecast is the forecast for a list, for pages that show it in a line.
func (s *contacts) contactForecast(c echo.Context, v frame.Visit, j dispatch.Job) (dispatch.ContactForecast, error) {
	f, err := items.In(s.Store).Rows.ContactForecast(frame.Context(c), v.Account.ID, j.ID)
	if err != nil || !f.Asked() {
		return f, err
	}
	return f, s.countNumberless(c, v, j, &f)
}

// countNumberless separates shipments without a number from those without an answer: sealed rows must be opened to tell.
func (s *contacts) countNumberless(c echo.Context, v frame.Visit, j dispatch.Job, f *dispatch.ContactForecast) error {
	if !j.Shipments() || f.Unanswered == 0 {
		return nil
	}
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, j.ID, items.RowsUnasked) {
		if err != nil {
			return err
		}
		if r.LookupNumber() == "" {
			f.Numberless, f.Unanswered = f.Numberless+1, f.Unanswered-1
		}
	}
	return nil
}

// askContact writes to the event log, then asks the contact register about one recipient, unless its number is wrong. The answer is
// shown and stored nowhere. field is where a number that the register must not get is corrected.
func (s *contacts) askContact(c echo.Context, v frame.Visit, kind dispatch.Kind, field string, number dispatch.LookupNumber, wrong *dispatch.Problem) (compose.Contact, dispatch.Problems, error) {
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
	refused, err := registry.In(s.Store).Lookups.Begin(frame.Context(c), v.Account.ID, frame.Actor(c, v.User), l, false)
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

func (s *contacts) contactsPage(c echo.Context, v frame.Visit, l contactList) (compose.ContactsPage, error) {
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
	return p, s.countNumberless(c, v, l.job, &p.Forecast)
}

// unreached are the first rows of such a draft; none of another draft. Into j it writes what the pages of the draft say of all its rows.
func (s *contacts) unreached(c echo.Context, v frame.Visit, j *dispatch.Job) (_ []compose.UnreachedLine, err error) {
	if !j.Again {
		return nil, nil
	}
	if j.OnlyStopped, j.Doubted, err = items.In(s.Store).Origins.Origins(frame.Context(c), v.Account.ID, j.ID); err != nil {
		return nil, err
	}
	rows, _, err := items.In(s.Store).Rows.Unreached(frame.Context(c), v.Account.ID, j.ID, items.RowsChosen, -1, unreachedFirst)
	return unreachedLines(*j, rows), err
}

func unreachedLines(j dispatch.Job, rows []items.UnreachedRow) []compose.UnreachedLine {
	lines := make([]compose.UnreachedLine, len(rows))
	for i, r := range rows {
		lines[i] = compose.UnreachedLine{Row: r.Position, Number: shownNumber(j, r.JobRow), Was: formerNumber(j, r), Item: r.Item, Replaced: r.Replaced, Second: r.Second, Out: r.Problem.Key == dispatch.ProblemLeftOut, Vain: j.AllReplaced}
		lines[i].LeaveOut = lines[i].Out
	}
	return lines
}

// formerNumber is the masked number that a corrected row had; empty: it is the same still, or nobody knows.
func formerNumber(j dispatch.Job, r items.UnreachedRow) string {
	now := r.Recipient
	if j.Mode == dispatch.ModeFast {
		now = dispatch.SMSRecipient{Phone: r.Phone}
	}
	if j.Found || r.Was == (dispatch.SMSRecipient{}) || r.Was == now {
		return ""
	}
	return r.Was.Masked()
}

// shownNumber is the masked number that a row of a list is sent to, or the name on a letter.
func shownNumber(j dispatch.Job, r dispatch.JobRow) string {
	switch {
	case r.Shipment != nil:
		return r.Shipment.Postal.Name
	case j.Mode == dispatch.ModeFast:
		return r.Phone.Masked()
	}
	return r.Recipient.Masked()
}
