package compose

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
)

// original is the shipment that a draft was copied from; zero if there is none. It may be a colleague's if the draft was handed over.
func (s *Pages) original(c echo.Context, v frame.Visit, d dispatch.Draft) (dispatch.ShipmentItem, error) {
	if d.CopyOf == "" {
		return dispatch.ShipmentItem{}, nil
	}
	it, err := items.In(s.Store).Shipment(frame.Context(c), v.Account.ID, d.CopyOf)
	if errors.Is(err, store.ErrNotFound) { // it was not copied, or the original is purged
		return dispatch.ShipmentItem{}, nil
	}
	return it, err
}

// ifFailed is a draft's original if it came to nothing or was not signed, else zero.
func ifFailed(original dispatch.ShipmentItem) dispatch.ShipmentItem {
	if !original.EndedBadly() && !original.SigningStatus.Row().Failed() {
		return dispatch.ShipmentItem{}
	}
	return original
}

// shipmentDraft returns the draft named by the address and its form.
func (s *Pages) shipmentDraft(c echo.Context, v frame.Visit) (dispatch.Draft, dispatch.DraftFields, error) {
	d, err := items.In(s.Store).ShipmentDraft(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	return d, d.Fields, err
}

// draftGone redirects from a draft that has been sent to the item it became.
func (s *Pages) draftGone(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, items.ErrWaiting) {
		return s.FlashTo(c, frame.DraftPath(v, dispatch.ItemID(c.Param("id")), "kontroll"), "flash.waiting", 0)
	}
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, views.AccountPath(v.Account, "forsendelser", c.Param("id")), "flash.already_sent", 0)
	}
	if errors.Is(err, store.ErrNotFound) {
		return s.becameJob(c, v, err)
	}
	if typed, ok := c.Get(typedKey).(dispatch.DraftFields); ok && errors.Is(err, store.ErrStale) && frame.Fragment(c) == "" {
		return s.showBoth(c, v, typed)
	}
	return err
}

// keepForm stores a form in its draft, and updates the draft's version.
func (s *Pages) keepForm(c echo.Context, v frame.Visit, d *dispatch.Draft, f dispatch.DraftFields) error {
	d.Fields = f
	if err := items.In(s.Store).SaveShipmentDraft(frame.Context(c), v.Account.ID, d, frame.Actor(c, v.User)); err != nil {
		return err
	}
	d.SavedAt = s.Now()
	return nil
}

// referForm is keepForm, with a generated reference if none is typed.
func (s *Pages) referForm(c echo.Context, v frame.Visit, d *dispatch.Draft, f dispatch.DraftFields) error {
	d.Fields = f
	if err := items.In(s.Store).ReferenceDraft(frame.Context(c), v.Account, d, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return nil
}
