package frame

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
)

// Shipment returns the shipment in the address.
func (s *Frame) Shipment(c echo.Context, v Visit) (dispatch.ShipmentItem, error) {
	return items.In(s.Store).Shipments.ByID(Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
}

// SMS returns the SMS in the address. A draft is visible to its creator only.
func (s *Frame) SMS(c echo.Context, v Visit) (dispatch.SMSItem, error) {
	it, err := items.In(s.Store).SMS.ByID(Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	if err == nil && it.State == dispatch.StateDraft && it.CreatedBy != v.User.ID {
		err = store.ErrNotFound
	}
	return it, err
}

// ItemPages distinguishes the pages of the two kinds of item.
type ItemPages struct {
	Path    string // below the account
	Changed string // the message when another user was faster
}

var (
	// SMSPages are the pages of SMS.
	SMSPages = ItemPages{"sms", "flash.changed"}
	// ShipmentPages are the pages of shipments.
	ShipmentPages = ItemPages{"forsendelser", "flash.shipment_changed"}
)

// ToPage redirects to the page of the item in the address.
func (s *Frame) ToPage(c echo.Context, v Visit, at ItemPages, flash string) error {
	return s.FlashTo(c, views.AccountPath(v.Account, at.Path, c.Param("id")), flash, 0)
}
