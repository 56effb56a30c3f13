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
	if err := s.readContent(c, v, it.Item); err != nil {
		return err
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
		Page: s.page(c, v, "sms.list.title"), Item: it, Events: events,
		Own: it.CreatedBy == v.User.ID, Revealed: revealed, CopyKey: uuid.NewString(),
	}
	p.Title, p.Section, p.Problems = views.SMSTitle(ctx(c), it.Recipient), views.SectionSMS, ps
	if p.FollowUp, p.Relatives, err = s.around(c, v, it.ID); err != nil {
		return err
	}
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
	return s.actSMS(c, v, s.o.Store.Cancel, "flash.cancelled")
}

func (s *server) confirmSMS(c echo.Context, v visit) error {
	return s.actSMS(c, v, s.o.Store.Confirm, "flash.confirmed")
}

func (s *server) sendSMSAgain(c echo.Context, v visit) error {
	return s.actSMS(c, v, s.o.Store.SendAgain, "flash.requeued")
}

// actSMS does one thing to an SMS that the user may see: another's draft is not found.
func (s *server) actSMS(c echo.Context, v visit, do change, done string) error {
	if _, err := s.sms(c, v); err != nil {
		return err
	}
	return s.act(c, v, smsPages, do, done)
}

// decideSMS keeps what a person decides about an uncertain SMS.
func (s *server) decideSMS(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	return s.decide(c, v, smsPages, it.Item, func(ps dispatch.Problems) error {
		return s.showItem(c, v, it, http.StatusUnprocessableEntity, ps, false)
	})
}

// pages tells the pages of one kind of item from those of the other.
type pages struct {
	path    string // below the account
	changed string // the message when somebody was faster
}

var (
	smsPages      = pages{"sms", "flash.changed"}
	shipmentPages = pages{"forsendelser", "flash.shipment_changed"}
)

// toPage leads to the page of the item in the address.
func (s *server) toPage(c echo.Context, v visit, at pages, flash string) error {
	return s.flashTo(c, views.AccountPath(v.Account, at.path, c.Param("id")), flash, 0)
}

// change is one thing that a person does to an item.
type change func(context.Context, dispatch.AccountID, dispatch.ItemID, store.Actor) error

// act does one thing to the item of the address and leads back to its page.
func (s *server) act(c echo.Context, v visit, at pages, do change, done string) error {
	err := do(ctx(c), v.Account.ID, dispatch.ItemID(c.Param("id")), by(c, v.User))
	switch {
	case errors.Is(err, store.ErrChanged):
		return s.toPage(c, v, at, at.changed)
	case errors.Is(err, store.ErrQuota):
		return s.toPage(c, v, at, "flash.quota")
	case err != nil:
		return err
	}
	s.wake()
	return s.toPage(c, v, at, done)
}

// decide keeps what a person decides about an uncertain item; without a choice, again shows its page with the problem.
func (s *server) decide(c echo.Context, v visit, at pages, it dispatch.Item, again func(dispatch.Problems) error) error {
	if it.State != dispatch.StateUncertain {
		return s.toPage(c, v, at, at.changed)
	}
	d := dispatch.Decision(c.FormValue("valg"))
	if !d.Known() {
		return again(dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}})
	}
	n, err := s.o.Store.Resolve(ctx(c), v.Account, []dispatch.ItemID{it.ID}, d, by(c, v.User))
	if err != nil {
		return err
	}
	if n == 0 {
		return s.toPage(c, v, at, at.changed)
	}
	s.wake()
	return s.toPage(c, v, at, "flash.resolved")
}
