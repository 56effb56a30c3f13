package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// approving is what the review of the visitor's own draft shows about approval.
func (s *review) approving(c echo.Context, v frame.Visit, of dispatch.Sending, last dispatch.Approval, err error) (compose.Approving, error) {
	if err != nil {
		return compose.Approving{}, err
	}
	reasons, err := items.In(s.Store).Approvals.Reasons(frame.Context(c), v.Account.ID, of)
	return compose.Approving{Reasons: reasons, Last: last}, err
}

// itemApproving is approving of an SMS or a shipment.
func (s *review) itemApproving(c echo.Context, v frame.Visit, id dispatch.ItemID, of dispatch.Sending) (compose.Approving, error) {
	last, err := items.In(s.Store).Approvals.Last(frame.Context(c), v.Account.ID, id)
	return s.approving(c, v, of, last, err)
}

// jobApproving is approving of a job.
func (s *review) jobApproving(c echo.Context, v frame.Visit, id dispatch.JobID, of dispatch.Sending) (compose.Approving, error) {
	last, err := items.In(s.Store).Approvals.LastOfJob(frame.Context(c), v.Account.ID, id)
	return s.approving(c, v, of, last, err)
}

// reviewTitle is the title of a review: what the button does. A draft that waits for approval is named by what it is.
func reviewTitle(c echo.Context, a compose.Approving, title string) string {
	switch {
	case a.Last.Waiting():
		return whatWaits(c, a.Last)
	case len(a.Reasons) > 0:
		return i18n.T(frame.Context(c), "approval.ask.title")
	}
	return title
}

// whatWaits is the heading of a draft that waits for approval.
func whatWaits(c echo.Context, a dispatch.Approval) string {
	return i18n.T(frame.Context(c), compose.What(a), "N", a.Recipients, "Name", a.Name)
}
