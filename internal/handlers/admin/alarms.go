package admin

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// Show shows conditions that team leads and operators are notified of, and the state of notices.
func (s *Alarms) Show(c echo.Context, v frame.Visit) error {
	p := admin.AlarmsPage{Page: s.Page(c, v, "alarms.title"), Mail: s.Notices.Mail, Operators: s.Notices.Operators, Webhook: s.Notices.Webhook}
	p.Section = views.SectionAlarms
	list, err := registry.In(s.Store).Alarms.List(frame.Context(c), s.Now())
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Lasts() {
			p.Open = append(p.Open, a)
		} else {
			p.Ended = append(p.Ended, a)
		}
	}
	if p.Accounts, err = registry.In(s.Store).Accounts.List(frame.Context(c)); err != nil {
		return err
	}
	if p.Chats, err = registry.In(s.Store).AccountNotices.ChatCount(frame.Context(c)); err != nil {
		return err
	}
	counts, err := registry.In(s.Store).Notices.Counts(frame.Context(c), s.Now())
	if err != nil {
		return err
	}
	p.Sent, p.Waiting, p.Dropped, p.Fault = counts.Sent, counts.Waiting, counts.Dropped, counts.Fault
	return frame.Show(c, http.StatusOK, admin.Alarms(p))
}

// TryChannels sends a trial notice to the installation's channels.
func (s *Alarms) TryChannels(c echo.Context, v frame.Visit) error {
	to := slices.DeleteFunc(s.Notices.Names(), func(c registry.Channel) bool { return c == registry.ChannelPerson })
	if len(to) == 0 {
		return frame.SeeOther(c, "/admin/varsler")
	}
	if err := registry.In(s.Store).Notices.Try(frame.Context(c), frame.Actor(c, v.User), to...); err != nil {
		return err
	}
	return s.FlashTo(c, "/admin/varsler", "flash.alarms.tried", 0)
}
