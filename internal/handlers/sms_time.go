package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

// editSMSTime shows when an SMS goes that waits for its time, to be changed.
func (s *server) editSMSTime(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	return s.showSMSTime(c, v, it, views.TimingOf(it.Timing), nil)
}

func (s *server) showSMSTime(c echo.Context, v visit, it dispatch.SMSItem, f views.TimingForm, ps dispatch.Problems) error {
	if it.Stage(s.o.Now()) != dispatch.StageScheduled {
		return s.toPage(c, v, smsPages, "flash.changed")
	}
	p := views.SMSTimePage{Page: s.page(c, v, "sms.time.title"), Item: it, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionSMS, true, ps
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return show(c, status, views.SMSTime(p))
}

// changeSMSTime gives an SMS another time, or none: then it goes as if it were sent now.
func (s *server) changeSMSTime(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	values, err := c.FormParams()
	if err != nil {
		return badForm(err)
	}
	f := timingForm(values)
	timing, problem := f.Parse(s.o.Now())
	if problem != nil {
		return s.showSMSTime(c, v, it, f, dispatch.Problems{*problem})
	}
	return s.act(c, v, smsPages, func(ctx context.Context, _ dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
		return s.o.Store.Reschedule(ctx, v.Account, id, timing, by)
	}, "flash.rescheduled")
}
