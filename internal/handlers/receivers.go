package handlers

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// receiverRows is how many receiving systems a page shows.
const receiverRows = 200

// listReceivers shows the receiving systems that the account's service knows, all or those that a filter leaves.
func (s *server) listReceivers(c echo.Context, v visit) error {
	p := views.ReceiversPage{Page: s.page(c, v, "receiver.title"), Types: s.shipmentTypes(c, v), Form: views.ReceiverForm{
		OrganizationNumber: c.QueryParam(dispatch.FieldOrganizationNumber), Type: c.QueryParam(dispatch.FieldType), Level: c.QueryParam(dispatch.FieldLevel),
	}}
	p.Section = views.SectionReceivers
	if id := dispatch.ItemID(c.QueryParam("utkast")); id != "" {
		d, err := s.o.Store.ShipmentDraft(ctx(c), v.Account.ID, id, v.User.ID)
		if err != nil {
			return err
		}
		p.Draft = d.Item.ID
	}
	filter, ps := dispatch.ParseReceiverFilter(p.Form.OrganizationNumber, p.Form.Type, p.Form.Level, v.Account.Generation())
	if p.Problems = ps; len(ps) > 0 {
		return show(c, http.StatusUnprocessableEntity, views.Receivers(p))
	}
	var found []dispatch.Receiver
	found, p.Failure = s.o.Upstream.Receivers(ctx(c), v.Account, filter)
	for _, r := range found[:min(len(found), receiverRows)] {
		p.Rows = append(p.Rows, views.ReceiverLine{Receiver: r, Key: uuid.NewString()})
	}
	p.More = len(found) - len(p.Rows)
	return show(c, http.StatusOK, views.Receivers(p))
}

// useReceiver fills a receiving system in in one's own draft.
func (s *server) useReceiver(c echo.Context, v visit) error {
	d, f, err := s.shipmentDraft(c, v)
	if err != nil {
		return s.draftGone(c, v, err)
	}
	if !fillReceiver(c, &f) {
		return echo.ErrBadRequest
	}
	if err := s.keepForm(c, v, &d, f); err != nil {
		return s.draftGone(c, v, err)
	}
	return s.flashTo(c, draftPath(v, d.Item.ID), "flash.receiver_used", 0)
}

// fillReceiver fills the receiving system that was posted in in a form, and tells whether there was one.
func fillReceiver(c echo.Context, f *views.ShipmentForm) bool {
	number, problem := dispatch.ParseOrganizationNumber("", c.FormValue(dispatch.FieldOrganizationNumber))
	if problem != nil {
		return false
	}
	f.UseReceiver(number, c.FormValue(dispatch.FieldType))
	return true
}

// shipmentTypes are those that the account's service knows; none when it does not tell.
func (s *server) shipmentTypes(c echo.Context, v visit) []string {
	if !v.Account.HasShipments() {
		return nil
	}
	return s.o.Upstream.Types(ctx(c), v.Account)
}
