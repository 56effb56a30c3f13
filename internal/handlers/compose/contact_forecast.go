package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/text"
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
func (s *contactRegister) contactForecast(c echo.Context, v frame.Visit, j dispatch.Job) (dispatch.ContactForecast, error) {
	f, err := items.In(s.Store).Rows.ContactForecast(frame.Context(c), v.Account.ID, j.ID)
	if err != nil || !f.Asked() {
		return f, err
	}
	return f, s.countNumberless(c, v, j, &f)
}

// countNumberless separates shipments without a number from those without an answer: sealed rows must be opened to tell.
func (s *contactRegister) countNumberless(c echo.Context, v frame.Visit, j dispatch.Job, f *dispatch.ContactForecast) error {
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
func (s *contactRegister) askContact(c echo.Context, v frame.Visit, kind dispatch.Kind, field string, number dispatch.LookupNumber, wrong *dispatch.Problem) (compose.Contact, dispatch.Problems, error) {
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
