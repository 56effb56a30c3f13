package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// showSMS shows what became of an SMS. Looking at it pulls the next read of its status forward.
func (s *server) showSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	if it.State == dispatch.StateDraft {
		return seeOther(c, views.AccountPath(v.Account, "sms", string(it.ID), "kontroll"))
	}
	if it.State == dispatch.StateAccepted {
		if _, err := s.o.Store.PullCheck(ctx(c), v.Account.ID, it.ID, s.o.Plan.OnView); err != nil {
			return err
		}
	}
	return s.showItem(c, v, it, http.StatusOK, nil, false)
}

// sms returns the SMS of the address. A draft is its maker's alone.
func (s *server) sms(c echo.Context, v visit) (dispatch.SMSItem, error) {
	it, err := s.o.Store.SMS(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	if err == nil && it.State == dispatch.StateDraft && it.CreatedBy != v.User.ID {
		err = store.ErrNotFound
	}
	return it, err
}

func (s *server) showItem(c echo.Context, v visit, it dispatch.SMSItem, status int, ps dispatch.Problems, revealed bool) error {
	events, err := s.o.Store.Events(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	p := views.SMSPage{
		Page: s.page(c, v, "sms.item.title", "Number", it.Recipient.Masked()), Item: it, Events: events,
		Own: it.CreatedBy == v.User.ID, Revealed: revealed, CopyKey: uuid.NewString(),
	}
	p.Section, p.Problems = views.SectionSMS, ps
	if fragment(c) == "sms" {
		return show(c, status, views.SMSLive(p))
	}
	return show(c, status, views.SMSShow(p))
}

// revealSMS shows the whole number once; that is written to the event log.
func (s *server) revealSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	if it.CreatedBy != v.User.ID {
		return echo.ErrForbidden
	}
	if err := s.o.Store.Reveal(ctx(c), v.Account.ID, it.ID, by(c, v.User)); err != nil {
		return err
	}
	return s.showItem(c, v, it, http.StatusOK, nil, true)
}

func (s *server) cancelSMS(c echo.Context, v visit) error {
	return s.act(c, v, s.o.Store.Cancel, "flash.cancelled")
}

func (s *server) confirmSMS(c echo.Context, v visit) error {
	return s.act(c, v, s.o.Store.Confirm, "flash.confirmed")
}

func (s *server) sendSMSAgain(c echo.Context, v visit) error {
	return s.act(c, v, s.o.Store.SendAgain, "flash.requeued")
}

// act does one thing to the SMS of the address and leads back to its page.
func (s *server) act(c echo.Context, v visit, do func(context.Context, dispatch.AccountID, dispatch.ItemID, store.Actor) error, done string) error {
	err := do(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")), by(c, v.User))
	if errors.Is(err, store.ErrChanged) {
		return s.toItem(c, v, "flash.changed")
	}
	if err != nil {
		return err
	}
	s.wake()
	return s.toItem(c, v, done)
}

// decideSMS keeps what a person decides about an uncertain SMS.
func (s *server) decideSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return s.showItem(c, v, it, http.StatusUnprocessableEntity, dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}, false)
	}
	n, err := s.o.Store.Resolve(ctx(c), v.Account, []dispatch.ItemID{it.ID}, d, by(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.toItem(c, v, "flash.changed")
	}
	s.wake()
	return s.toItem(c, v, "flash.resolved")
}
