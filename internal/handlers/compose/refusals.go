package compose

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// asksApproval tells whether a form asks for approval instead of sending.
func asksApproval(c echo.Context) bool { return c.FormValue(compose.FieldAsk) == "ja" }

// unapproved is the problem of a draft that has come to need approval since its page was made.
var unapproved = dispatch.Problems{{Field: "neste", Key: "problem.approval.needed"}}

// second is the problem of a draft in place of an item, where the recipient would get two and the user has not said that both are meant.
var second = dispatch.Problems{{Field: views.FieldAnyway, Key: "problem.replaced"}}

// notChanged is the message about a draft in another state than the page showed: it awaits approval, or else otherwise.
func notChanged(err error, otherwise string) string {
	if errors.Is(err, items.ErrWaiting) {
		return "flash.waiting"
	}
	return otherwise
}

// noRoom is the problem of a form that would exceed a limit on drafts; nil for other errors.
func noRoom(err error, field string) dispatch.Problems {
	var full store.Full
	if !errors.As(err, &full) {
		return nil
	}
	return dispatch.Problems{full.Of.Full(field)}
}

// late is the problem of a draft whose planned time has passed.
func late(m dispatch.Timing, now time.Time) dispatch.Problems {
	if !m.Late(now) {
		return nil
	}
	return dispatch.Problems{{Field: dispatch.FieldSendDay, Key: "problem.send_at.past"}}
}

// unseen is the problem of a draft that was changed since its review was made, for example in another tab: what would be sent was
// not reviewed.
var unseen = dispatch.Problems{{Field: "neste", Key: "problem.unseen"}}

// leadBack leads from a review to a page of the draft. Whoever wanted to send the draft is told that it was not.
func (s *review) leadBack(c echo.Context, path string) error {
	if c.Request().Method == http.MethodPost {
		return s.notSent(c, path)
	}
	return frame.SeeOther(c, path)
}

// notSent leads who wanted to send a draft that cannot be sent as it is to the page that shows why.
func (s *review) notSent(c echo.Context, path string) error {
	return s.FlashTo(c, path, "flash.not_sent", 0)
}

// overBudget is the problem of a sending that exceeds the account's budget; nil for other errors.
func overBudget(err error, a dispatch.Account) dispatch.Problems {
	if !errors.Is(err, items.ErrBudget) {
		return nil
	}
	return dispatch.Problems{{Field: compose.FieldCost, Key: "problem.budget." + string(a.Budget.Rule)}}
}
