package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
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
func (s *Pages) contactForecast(c echo.Context, v frame.Visit, j dispatch.Job) (dispatch.ContactForecast, error) {
	f, err := items.In(s.Store).ContactForecast(frame.Context(c), v.Account.ID, j.ID)
	if err != nil || !f.Asked() {
		return f, err
	}
	return f, s.countNumberless(c, v, j, &f)
}

// countNumberless separates shipments without a number from those without an answer: sealed rows must be opened to tell.
func (s *Pages) countNumberless(c echo.Context, v frame.Visit, j dispatch.Job, f *dispatch.ContactForecast) error {
	if !j.Shipments() || f.Unanswered == 0 {
		return nil
	}
	for r, err := range items.In(s.Store).EachJobRow(frame.Context(c), v.Account.ID, j.ID, items.RowsUnasked) {
		if err != nil {
			return err
		}
		if r.LookupNumber() == "" {
			f.Numberless, f.Unanswered = f.Numberless+1, f.Unanswered-1
		}
	}
	return nil
}
