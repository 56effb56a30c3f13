package follow

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
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

// ShowSMS shows an SMS. Viewing it makes its next status read due.
func (s *Pages) ShowSMS(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	if it.State == dispatch.StateDraft {
		return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(it.ID), "kontroll"))
	}
	if it.State == dispatch.StateAccepted {
		if _, err := queue.In(s.Store).PullCheck(frame.Context(c), v.Account.ID, it.ID, s.Plan.OnView); err != nil {
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
func (s *Pages) recordText(c echo.Context, v frame.Visit, it dispatch.SMSItem) error {
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil || it.HideInReport || frame.ByItself(c) || c.Request().Method == http.MethodHead || reach != dispatch.ReachOpen {
		return err
	}
	return s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.Account.ID, Action: "item.read", Object: string(it.ID), Origin: frame.Origin(c)})
}

func (s *Pages) showItem(c echo.Context, v frame.Visit, it dispatch.SMSItem, status int, ps dispatch.Problems, opened follow.Opened) error {
	events, err := s.Store.Events(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	reach, err := s.Reach(c, v, it.CreatedBy)
	if err != nil {
		return err
	}
	p := follow.SMSPage{
		Page: s.Page(c, v, "sms.list.title"), Item: it, Events: events,
		Reach: reach, Opened: opened, Back: s.cameFrom(c, v), CopyKey: uuid.NewString(), From: follow.OriginNamed(c.QueryParam(follow.FieldFrom)),
	}
	p.Title, p.Section, p.Problems = compose.SMSTitle(frame.Context(c), it.Recipient), views.SectionSMS, ps
	if p.Archived, err = items.In(s.Store).Archived(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return err
	}
	if p.Kept, err = s.keptBy(c, v, it.ID); err != nil {
		return err
	}
	if p.Around, err = s.around(c, v, it.Item); err != nil {
		return err
	}
	if frame.Fragment(c) == "sms" {
		return frame.Show(c, status, follow.SMSLive(p))
	}
	return frame.Show(c, status, follow.SMSShow(p))
}

// CancelSMS stops an SMS, or stores a request to stop it.
func (s *Pages) CancelSMS(c echo.Context, v frame.Visit) error {
	if _, err := s.SMS(c, v); err != nil {
		return err
	}
	return s.stop(c, v, frame.SMSPages)
}

// ConfirmSMS confirms that an overdue SMS is still to be sent.
func (s *Pages) ConfirmSMS(c echo.Context, v frame.Visit) error {
	return s.actSMS(c, v, items.In(s.Store).Confirm, "flash.confirmed")
}

// SendSMSAgain queues a failed SMS again.
func (s *Pages) SendSMSAgain(c echo.Context, v frame.Visit) error {
	return s.actSMS(c, v, items.In(s.Store).SendAgain, "flash.requeued")
}

// actSMS performs one act on an SMS that the user may see: colleagues' drafts are not found.
func (s *Pages) actSMS(c echo.Context, v frame.Visit, do change, done string) error {
	if _, err := s.SMS(c, v); err != nil {
		return err
	}
	return s.act(c, v, frame.SMSPages, do, done)
}

// DecideSMS applies a caseworker's decision about an uncertain SMS.
func (s *Pages) DecideSMS(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	return s.decide(c, v, frame.SMSPages, it.Item, func(ps dispatch.Problems) error {
		return s.showItem(c, v, it, http.StatusUnprocessableEntity, ps, follow.Opened{})
	})
}

// change is a user's act on an item.
type change func(context.Context, dispatch.AccountID, dispatch.ItemID, store.Actor) error

// act performs one act on the item in the address and redirects to its page.
func (s *Pages) act(c echo.Context, v frame.Visit, at frame.ItemPages, do change, done string) error {
	err := do(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), frame.Sender(c, v))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.ToPage(c, v, at, at.Changed)
	case errors.Is(err, items.ErrQuota):
		return s.ToPage(c, v, at, "flash.quota")
	case errors.Is(err, items.ErrBudget):
		return s.ToPage(c, v, at, "flash.budget")
	case err != nil:
		return err
	}
	s.Wake()
	return s.ToPage(c, v, at, done)
}

// decide applies a person's decision about an uncertain item; without a choice, again shows its page with the
// decide applies a caseworker's decision about an uncertain item; without a choice, again shows its page with the problem.
func (s *Pages) decide(c echo.Context, v frame.Visit, at frame.ItemPages, it dispatch.Item, again func(dispatch.Problems) error) error {
	if it.State != dispatch.StateUncertain {
		return s.ToPage(c, v, at, at.Changed)
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return again(dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}})
	}
	n, err := items.In(s.Store).Resolve(frame.Context(c), v.Account, []dispatch.ItemID{it.ID}, d, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.ToPage(c, v, at, at.Changed)
	}
	s.Wake()
	return s.ToPage(c, v, at, "flash.resolved")
}
