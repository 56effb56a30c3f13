package compose

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// AsShipment creates a draft of a shipment to the recipient of a failed SMS and redirects to it; a colleague's takes a reason.
func (s *OtherWay) AsShipment(c echo.Context, v frame.Visit) error {
	it, err := s.SMS(c, v)
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.SMSPages.ContentOf(v, it.Item), func(reason string) error { return s.asShipment(c, v, it, reason) }, "nokkel")
}

func (s *OtherWay) asShipment(c echo.Context, v frame.Visit, it dispatch.SMSItem, reason string) error {
	f := compose.NewShipmentForm(v.Account)
	f.Number = it.Recipient.NationalID.Reveal()
	from := items.MadeFrom{Source: it.ID, Origin: instead(it.EndedBadly())}
	id, err := items.In(s.Store).Drafts.CreateFrom(frame.Context(c), v.Account.ID, frame.Because(c, v.User, reason), frame.FormKey(c.FormValue("nokkel")), f, from)
	if err != nil {
		return err
	}
	return frame.SeeOther(c, frame.DraftPath(v, id))
}

// instead is how a draft relates to the item that it was made from: it replaces one that the recipient did not get, or did not sign.
func instead(missed bool) dispatch.OriginKind {
	if missed {
		return dispatch.OriginReplaces
	}
	return ""
}

// BySMS creates a draft of an SMS about a shipment, to replace it or to remind of the signing, and redirects to it. A colleague's
// takes a reason.
func (s *OtherWay) BySMS(c echo.Context, v frame.Visit) error {
	it, err := s.Shipment(c, v)
	if err != nil {
		return err
	}
	return s.ToCopy(c, v, frame.ShipmentPages.ContentOf(v, it.Item), func(reason string) error { return s.bySMS(c, v, it, reason) }, "nokkel")
}

func (s *OtherWay) bySMS(c echo.Context, v frame.Visit, it dispatch.ShipmentItem, reason string) error {
	from := items.MadeFrom{Source: it.ID, Origin: dispatch.OriginReplaces}
	if it.AwaitsSigning() {
		from.Origin = dispatch.OriginReminds
	}
	m := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: it.Recipient.Digital.NationalID}, Text: s.smsAbout(v, it, from.Origin)}
	if m.Recipient.NationalID == "" || from.Origin == dispatch.OriginReplaces && !it.EndedBadly() {
		return s.ToPage(c, v, frame.ShipmentPages, frame.ShipmentPages.Changed)
	}
	id, err := items.In(s.Store).SMS.SaveDraftFrom(frame.Context(c), v.Account.ID, frame.Because(c, v.User, reason), frame.FormKey(c.FormValue("nokkel")), m, from)
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "sms", string(id)), "flash.already_sent", 0)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(c, views.AccountPath(v.Account, "sms", string(id), "endre"))
}

// smsAbout is the initial text of the form. It does not reveal what the shipment is about, and has no link.
func (s *OtherWay) smsAbout(v frame.Visit, it dispatch.ShipmentItem, k dispatch.OriginKind) string {
	text := s.Languages.Default.Text("sms.about."+string(k), "Account", v.Account.Name, "When", views.TypedDate(it.SignBy))
	if it.ExternalReference != "" {
		text += " " + s.Languages.Default.Text("sms.about.reference", "Reference", it.ExternalReference)
	}
	return text
}

// draftInstead is the visitor's draft, of the same kind, that is to be sent in place of an item; empty: there is none. Who asks for another
// is led to it: two would be sent by mistake.
func draftInstead(c echo.Context, f *frame.Frame, v frame.Visit, it dispatch.Item) (dispatch.ItemID, error) {
	d, err := items.In(f.Store).Origins.DraftInstead(frame.Context(c), v.Account.ID, it.ID, v.User.ID)
	if d.Kind != it.Kind {
		return "", err
	}
	return d.ID, err
}
