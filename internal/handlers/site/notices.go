package site

import (
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/site"
)

// noticesPath is the page of what one is told by e-mail.
const noticesPath = "/min-side/varsler"

// ShowNotices shows how the user is told by e-mail.
func (s *Pages) ShowNotices(c echo.Context, v frame.Visit) error {
	m, err := registry.In(s.Store).MailChoices.Of(frame.Context(c), v.User.ID)
	if err != nil {
		return err
	}
	return s.showNotices(c, v, m, m.Address != "", nil)
}

func (s *Pages) showNotices(c echo.Context, v frame.Visit, m registry.MailChoice, saved bool, ps dispatch.Problems) error {
	p := site.NoticesPage{
		Page: s.Page(c, v, "notices.title"), On: s.Notices.Mail, Address: m.Address, Digest: m.Digest, Alarms: m.Alarms, Follows: v.User.HearsDigest(), Leads: v.User.HearsAlarms(), Saved: saved,
		Domains: strings.Join(s.MailDomains, ", "),
	}
	p.Section, p.Problems = views.SectionOwn, ps
	return frame.Show(c, frame.FormStatus(ps), site.Notices(p))
}

// SaveNotices saves it. Without an address nothing is sent, and the address is forgotten.
func (s *Pages) SaveNotices(c echo.Context, v frame.Visit) error {
	if !s.Notices.Mail {
		return frame.SeeOther(c, noticesPath)
	}
	typed := strings.TrimSpace(c.FormValue(dispatch.FieldMail))
	m := registry.MailChoice{Address: typed, Digest: c.FormValue("morgen") == "true" && v.User.HearsDigest(), Alarms: c.FormValue("hendelser") == "true" && v.User.HearsAlarms()}
	if typed != "" || m.Digest || m.Alarms {
		address, p := s.MailDomains.Parse(typed)
		if p != nil {
			return s.showNotices(c, v, m, false, dispatch.Problems{*p})
		}
		m.Address = address
	}
	fresh, err := registry.In(s.Store).MailChoices.Save(frame.Context(c), frame.Actor(c, v.User), m)
	if err != nil {
		return err
	}
	flash := "flash.notices.saved"
	switch {
	case fresh:
		flash = "flash.notices.new"
	case m.Address == "":
		flash = "flash.notices.none"
	}
	return s.FlashTo(c, noticesPath, flash, 0)
}

// TryNotices sends a trial mail to the user's address.
func (s *Pages) TryNotices(c echo.Context, v frame.Visit) error {
	m, err := registry.In(s.Store).MailChoices.Of(frame.Context(c), v.User.ID)
	if err != nil {
		return err
	}
	if !s.Notices.Mail || m.Address == "" {
		return frame.SeeOther(c, noticesPath)
	}
	if err := registry.In(s.Store).Notices.Try(frame.Context(c), frame.Actor(c, v.User), registry.ChannelPerson); err != nil {
		return err
	}
	return s.FlashTo(c, noticesPath, "flash.notices.tried", 0)
}
