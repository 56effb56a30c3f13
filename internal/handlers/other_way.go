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
	id, err := s.o.Store.CreateShipmentDraft(ctx(c), v.Account.ID, by(c, v.User), formKey(c.FormValue("nokkel")), form)
	if err == nil {
		err = s.replaces(c, v, id, it.Item)
	}
	if err != nil {
		return err
	}
	return seeOther(c, draftPath(v, id))
}

// replaces notes that one's own draft goes instead of an item that came to nothing.
func (s *server) replaces(c echo.Context, v visit, id dispatch.ItemID, of dispatch.Item) error {
	if !of.EndedBadly() {
		return nil
	}
	return s.o.Store.SetOrigin(ctx(c), v.Account.ID, id, by(c, v.User), dispatch.Origin{Item: of.ID, Kind: dispatch.OriginReplaces})
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
	o := dispatch.Origin{Item: it.ID, Kind: dispatch.OriginReplaces}
	if it.AwaitsSigning() {
		o.Kind = dispatch.OriginReminds
	}
	m := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: it.Recipient.Digital.NationalID}, Text: smsAbout(c, v, it, o.Kind)}
	if m.Recipient.NationalID == "" || o.Kind == dispatch.OriginReplaces && !it.CameToNothing() {
		return s.toPage(c, v, shipmentPages, shipmentPages.changed)
	}
	id, err := s.o.Store.SaveSMSDraft(ctx(c), v.Account.ID, by(c, v.User), formKey(c.FormValue("nokkel")), m)
	if errors.Is(err, store.ErrChanged) {
		return s.flashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err == nil {
		err = s.o.Store.SetOrigin(ctx(c), v.Account.ID, id, by(c, v.User), o)
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
