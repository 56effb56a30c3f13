package handlers

import (
	"encoding/json"
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/views"
)

// asLetter makes a draft of a letter to whom one's own SMS did not reach, and leads to it.
func (s *server) asLetter(c echo.Context, v visit) error {
	it, err := s.sms(c, v)
	if err != nil {
		return err
	}
	if it.CreatedBy != v.User.ID {
		return store.ErrNotFound
	}
	f := views.NewShipmentForm(v.Account)
	f.Number = it.Recipient.NationalID.Reveal()
	form, err := json.Marshal(f)
	if err != nil {
		return err
	}
	from := store.MadeFrom{Source: it.ID, Origin: instead(it.Item)}
	id, err := s.o.Store.CreateShipmentDraftFrom(ctx(c), v.Account.ID, by(c, v.User), formKey(c.FormValue("nokkel")), form, from)
	if err != nil {
		return err
	}
	return seeOther(c, draftPath(v, id))
}

// instead is what a draft that is made from an item has to do with it: it goes instead of one that came to nothing.
func instead(of dispatch.Item) dispatch.OriginKind {
	if !of.EndedBadly() {
		return ""
	}
	return dispatch.OriginReplaces
}

// bySMS makes a draft of an SMS about one's own letter, and leads to it: instead of it, or to remind of what is to be
// signed.
func (s *server) bySMS(c echo.Context, v visit) error {
	it, err := s.shipment(c, v)
	if err != nil {
		return err
	}
	if it.CreatedBy != v.User.ID {
		return store.ErrNotFound
	}
	from := store.MadeFrom{Source: it.ID, Origin: dispatch.OriginReplaces}
	if it.AwaitsSigning() {
		from.Origin = dispatch.OriginReminds
	}
	m := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: it.Recipient.Digital.NationalID}, Text: smsAbout(c, v, it, from.Origin)}
	if m.Recipient.NationalID == "" || from.Origin == dispatch.OriginReplaces && !it.CameToNothing() {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	id, err := s.o.Store.SaveSMSDraftFrom(ctx(c), v.Account.ID, by(c, v.User), formKey(c.FormValue("nokkel")), m, from)
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return seeOther(c, views.AccountPath(v.Account, "sms", string(id), "endre"))
}

// smsAbout is the text that the form begins with. It says nothing of what the letter is about, and has no link.
func smsAbout(c echo.Context, v visit, it dispatch.ShipmentItem, k dispatch.OriginKind) string {
	text := i18n.T(ctx(c), "sms.about."+string(k), "Account", v.Account.Name, "When", views.Day(it.SignBy))
	if it.ExternalReference != "" {
		text += " " + i18n.T(ctx(c), "sms.about.reference", "Reference", it.ExternalReference)
	}
	return text
}

// checkNow has the service asked for the status of the item of the address now.
func (s *server) checkNow(at pages, item func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		it, err := item(c, v)
		if err != nil {
			return err
		}
		if _, err := s.o.Store.PullCheck(ctx(c), v.Account.ID, it.ID, s.o.Plan.OnView); err != nil {
			return err
		}
		s.wake()
		return s.toPage(c, v, at, "flash.checking")
	}
}
