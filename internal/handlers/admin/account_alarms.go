package admin

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views/admin"
)

// alarmsOf is the last part of the addresses of what an account says itself about alarms.
const alarmsOf = "varsler"

// Edit shows when an account is told of failures, and where.
func (s *AccountAlarms) Edit(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	return s.showAccountAlarms(c, v, admin.AccountAlarmsPage{Row: line}, nil)
}

// showAccountAlarms shows the page. A form with problems keeps the values as typed; the other shows what is stored.
func (s *AccountAlarms) showAccountAlarms(c echo.Context, v frame.Visit, p admin.AccountAlarmsPage, ps dispatch.Problems) error {
	saved, err := registry.In(s.Store).AccountNotices.Of(frame.Context(c), p.Row.ID)
	if err != nil {
		return err
	}
	p.Page = s.Page(c, v, "account_alarms.title")
	if ps.For(dispatch.FieldFailingLeast) == nil && ps.For(dispatch.FieldFailingPercent) == nil {
		p.Failing = admin.NewFailingForm(saved.Failing)
	}
	if p.Chat.Format == "" {
		p.Chat.Format = string(saved.Format)
	}
	p.HasChat, p.Changed, p.Last = saved.Chat, saved.Changed, admin.LastNotice(saved.Last)
	p.Mail, p.Operators, p.Webhook = s.Notices.Mail, s.Notices.Operators, s.Notices.Webhook
	p.InnerChats = s.PrivateChats
	p.Fresh = s.Session.FreshEnough(frame.Context(c), s.Now()) || ps.For(dispatch.FieldChat) != nil || ps.For(dispatch.FieldChatFormat) != nil
	p.Section, p.Narrow, p.Problems = settingsSection(v), true, ps
	return frame.Show(c, frame.FormStatus(ps), admin.AccountAlarms(p))
}

// SaveFailing stores when much fails on an account.
func (s *AccountAlarms) SaveFailing(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	f := admin.FailingForm{Least: c.FormValue(dispatch.FieldFailingLeast), Percent: c.FormValue(dispatch.FieldFailingPercent)}
	rule := f.Parse()
	if ps := rule.Validate(); len(ps) > 0 {
		return s.showAccountAlarms(c, v, admin.AccountAlarmsPage{Row: line, Failing: f}, ps)
	}
	before, err := registry.In(s.Store).AccountNotices.Of(frame.Context(c), line.ID)
	if err != nil {
		return err
	}
	if err := registry.In(s.Store).AccountNotices.SaveFailingRule(frame.Context(c), line.ID, rule, frame.Actor(c, v.User), admin.FailingChanges(before.Failing, rule)...); err != nil {
		return err
	}
	return s.FlashTo(c, settingsPath(v, line.Slug, alarmsOf), "flash.account_alarms.failing", 0)
}

// SaveChat stores an account's own chat, or removes it.
func (s *AccountAlarms) SaveChat(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	var chat dispatch.Chat
	flash := "flash.account_alarms.removed"
	if c.FormValue("fjern") != "true" {
		f := admin.ChatForm{Address: strings.TrimSpace(c.FormValue(dispatch.FieldChat)), Format: c.FormValue(dispatch.FieldChatFormat)}
		parsed, p := dispatch.ParseChat(f.Address, dispatch.ChatFormat(f.Format), s.PrivateChats)
		if p != nil {
			return s.showAccountAlarms(c, v, admin.AccountAlarmsPage{Row: line, Chat: f}, dispatch.Problems{*p})
		}
		chat, flash = parsed, "flash.account_alarms.chat"
	}
	if err := registry.In(s.Store).AccountNotices.SaveChat(frame.Context(c), line.ID, chat, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return s.FlashTo(c, settingsPath(v, line.Slug, alarmsOf), flash, 0)
}

// TryChat sends a trial message to an account's own chat and shows what it answered.
func (s *AccountAlarms) TryChat(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	answer, err := s.AskChat(frame.Context(c), line.Account)
	if errors.Is(err, store.ErrNotFound) {
		return frame.SeeOther(c, settingsPath(v, line.Slug, alarmsOf))
	}
	if err != nil {
		return err
	}
	if err := registry.In(s.Store).AccountNotices.NoteChatTried(frame.Context(c), line.ID, answer, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return s.showAccountAlarms(c, v, admin.AccountAlarmsPage{Row: line, Answer: &answer}, nil)
}
