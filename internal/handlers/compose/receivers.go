package compose

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// receiverRows is how many receiving systems a page shows.
const receiverRows = 200

// List shows the receiving systems known to the account's service, all or filtered.
func (s *Receivers) List(c echo.Context, v frame.Visit) error {
	p := compose.ReceiversPage{Page: s.Page(c, v, "receiver.title"), Types: s.drafts.shipmentTypes(c, v), Form: compose.ReceiverForm{
		OrganizationNumber: c.QueryParam(dispatch.FieldOrganizationNumber), Type: c.QueryParam(dispatch.FieldType), Level: c.QueryParam(dispatch.FieldLevel),
	}}
	p.Section = views.SectionReceivers
	if id := dispatch.ItemID(c.QueryParam("utkast")); id != "" {
		d, err := items.In(s.Store).Drafts.ByID(frame.Context(c), v.Account.ID, id, v.User.ID)
		if err != nil {
			return err
		}
		p.Draft = d.Item.ID
	}
	filter, ps := dispatch.ParseReceiverFilter(p.Form.OrganizationNumber, p.Form.Type, p.Form.Level, v.Account.Generation())
	if p.Problems = ps; len(ps) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, compose.Receivers(p))
	}
	var found []dispatch.Receiver
	found, p.Failure = s.Upstream.Receivers(frame.Context(c), v.Account, filter)
	for _, r := range found[:min(len(found), receiverRows)] {
		p.Rows = append(p.Rows, compose.ReceiverLine{Receiver: r, Key: uuid.NewString()})
	}
	p.More = len(found) - len(p.Rows)
	return frame.Show(c, http.StatusOK, compose.Receivers(p))
}

// Use fills a receiving system into the visitor's own draft.
func (s *Receivers) Use(c echo.Context, v frame.Visit) error {
	d, f, err := s.drafts.shipmentDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if !fillReceiver(c, &f) {
		return echo.ErrBadRequest
	}
	if err := s.drafts.keepForm(c, v, &d, f); err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.FlashTo(c, frame.DraftPath(v, d.Item.ID), "flash.receiver_used", 0)
}

// fillReceiver fills the posted receiving system into a form, and tells whether there was one.
func fillReceiver(c echo.Context, f *dispatch.DraftFields) bool {
	number, problem := dispatch.ParseOrganizationNumber("", c.FormValue(dispatch.FieldOrganizationNumber))
	if problem != nil {
		return false
	}
	f.UseReceiver(number, c.FormValue(dispatch.FieldType))
	return true
}
