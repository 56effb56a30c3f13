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
	"utsending/internal/views/follow"
)

// EditTime shows the form of a scheduled shipment's time.
func (s *Shipments) EditTime(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.showShipmentTime(c, v, it, compose.TimingOf(dispatch.Timing{SendAt: it.SendAt}), nil)
}

func (s *Shipments) showShipmentTime(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, f dispatch.TimingFields, ps dispatch.Problems) error {
	if it.Stage(s.Now()) != dispatch.StageScheduled {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	p := follow.ShipmentTimePage{Page: s.Page(c, v, "sms.time.title"), Item: it, Form: f}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	return frame.Show(c, frame.FormStatus(ps), follow.ShipmentTime(p))
}

// ChangeTime changes a scheduled shipment's time; with none, it goes as if it were sent now.
func (s *Shipments) ChangeTime(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	f, err := frame.ReadTiming(c)
	if err != nil {
		return err
	}
	timing, ps := f.Parse(s.Now())
	it.SendAt = timing.SendAt
	if problem := v.Account.ValidateSendAt(it.Shipment, s.Now()); problem != nil && len(ps) == 0 {
		ps = dispatch.Problems{*problem}
	}
	if len(ps) > 0 {
		return s.showShipmentTime(c, v, it, f, ps)
	}
	return s.items.act(c, v, frame.ShipmentPages, func(ctx context.Context, _ dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
		return items.In(s.Store).Shipments.Reschedule(ctx, v.Account, id, timing.SendAt, by)
	}, "flash.rescheduled")
}
