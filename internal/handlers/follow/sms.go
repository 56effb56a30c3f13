package follow

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// Show shows an SMS. Viewing it makes its next status read due.
func (s *SMS) Show(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	if it.State == dispatch.StateDraft {
		return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(it.ID), "kontroll"))
	}
	if it.State == dispatch.StateAccepted {
		if _, err := queue.In(s.Store).Checks.Pull(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
			return err
		}
	}
	if err := s.recordText(c, v, it); err != nil {
		return err
	}
	return s.showItem(c, v, it, http.StatusOK, nil, follow.Opened{})
}

// recordText records in the event log that users read the text of their own SMS. The fragment that refreshes itself
// has no text.
func (s *SMS) recordText(c echo.Context, v frame.Visit, it dispatch.SMSItem) error {
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil || it.HideInReport || frame.ByItself(c) || c.Request().Method == http.MethodHead || reach != dispatch.ReachOpen {
		return err
	}
	return s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "item.read", Object: string(it.ID), Origin: frame.Origin(c)})
}

func (s *SMS) showItem(c echo.Context, v frame.Visit, it dispatch.SMSItem, status int, ps dispatch.Problems, opened follow.Opened) error {
	around, err := s.items.around(c, v, it.Item, opened)
	if err != nil {
		return err
	}
	p := follow.SMSPage{Page: s.Page(c, v, "sms.list.title"), Item: it, Around: around}
	p.Title, p.Section, p.Problems = compose.SMSTitle(frame.Context(c), it.Recipient), views.SectionSMS, ps
	if frame.Fragment(c) == "sms" {
		return frame.Show(c, status, follow.SMSLive(p))
	}
	return frame.Show(c, status, follow.SMSShow(p))
}

// Cancel stops an SMS, or stores a request to stop it.
func (s *SMS) Cancel(c echo.Context, v frame.Visit) error {
	if _, err := s.SMS(c, v); err != nil {
		return err
	}
	return s.items.stop(c, v, frame.SMSPages)
}

// Confirm confirms that an overdue SMS is still to be sent.
func (s *SMS) Confirm(c echo.Context, v frame.Visit) error {
	return s.actSMS(c, v, items.In(s.Store).Decisions.Confirm, "flash.confirmed")
}

// SendAgain queues a failed SMS again.
func (s *SMS) SendAgain(c echo.Context, v frame.Visit) error {
	return s.actSMS(c, v, items.In(s.Store).Decisions.SendAgain, "flash.requeued")
}

// actSMS performs one act on an SMS that the user may see: colleagues' drafts are not found.
func (s *SMS) actSMS(c echo.Context, v frame.Visit, do change, done string) error {
	if _, err := s.SMS(c, v); err != nil {
		return err
	}
	return s.items.act(c, v, frame.SMSPages, do, done)
}

// Decide applies a caseworker's decision about an uncertain SMS.
func (s *SMS) Decide(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	return s.items.decide(c, v, frame.SMSPages, it.Item, func(ps dispatch.Problems) error {
		return s.showItem(c, v, it, http.StatusUnprocessableEntity, ps, follow.Opened{})
	})
}

// change is a user's act on an item.
type change func(context.Context, dispatch.AccountID, dispatch.ItemID, store.Actor) error

// Content describes the content of an SMS.
func (s *SMS) Content() Content[dispatch.SMSItem] {
	return Content[dispatch.SMSItem]{s.Frame, frame.SMSPages, s.SMS, func(it dispatch.SMSItem) dispatch.Item { return it.Item }, s.showItem}
}
