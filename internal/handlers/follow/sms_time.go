package follow

import (
	"context"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// EditTime shows the form of a scheduled SMS's time.
func (s *SMS) EditTime(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	return s.showSMSTime(c, v, it, compose.TimingOf(it.Timing), nil)
}

func (s *SMS) showSMSTime(c echo.Context, v frame.Visit, it dispatch.SMSItem, f dispatch.TimingFields, ps dispatch.Problems) error {
	if it.Stage(s.Now()) != dispatch.StageScheduled {
		return s.ToPage(c, v, frame.SMSPages, frame.SMSPages.Changed)
	}
	p := compose.SMSTimePage{Page: s.Page(c, v, "sms.time.title"), Item: it, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	return frame.Show(c, frame.FormStatus(ps), compose.SMSTime(p))
}

// ChangeTime changes a scheduled SMS's time; with none, it goes as if it were sent now.
func (s *SMS) ChangeTime(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	f, err := frame.ReadTiming(c)
	if err != nil {
		return err
	}
	timing, ps := f.Parse(s.Now())
	if len(ps) > 0 {
		return s.showSMSTime(c, v, it, f, ps)
	}
	return s.items.act(c, v, frame.SMSPages, func(ctx context.Context, _ dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
		return items.In(s.Store).SMS.Reschedule(ctx, v.Account, id, timing, by)
	}, "flash.rescheduled")
}
