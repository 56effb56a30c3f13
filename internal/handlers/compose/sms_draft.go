package compose

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// draft returns the visitor's own draft. A draft that was sent meanwhile is shown instead.
func (s *Pages) draft(c echo.Context, v frame.Visit) (dispatch.SMSItem, error) {
	it, err := items.In(s.Store).SMS(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")))
	switch {
	case err != nil:
		return it, err
	case it.CreatedBy != v.User.ID:
		return it, store.ErrNotFound
	case it.State != dispatch.StateDraft:
		return it, store.ErrChanged
	}
	return it, nil
}

// toItem redirects to the page of the SMS named by the address.
func (s *Pages) toItem(c echo.Context, v frame.Visit, flash string) error {
	return s.ToPage(c, v, frame.SMSPages, flash)
}

// found tells whether an SMS of a job goes to a phone number from the contact register.
func (s *Pages) found(c echo.Context, v frame.Visit, it dispatch.SMSItem) (bool, error) {
	if it.JobID == "" || !it.Recipient.ByPhone() {
		return false, nil
	}
	j, err := items.In(s.Store).Job(frame.Context(c), v.Account.ID, it.JobID)
	return j.Found, err
}

// replaced is the failed SMS that a draft is a copy of; zero if there is none.
func (s *Pages) replaced(c echo.Context, v frame.Visit, draft dispatch.ItemID) (dispatch.SMSItem, error) {
	id, err := items.In(s.Store).Replaced(frame.Context(c), v.Account.ID, draft)
	if err != nil || id == "" {
		return dispatch.SMSItem{}, err
	}
	it, err := items.In(s.Store).SMS(frame.Context(c), v.Account.ID, id)
	if errors.Is(err, store.ErrNotFound) { // a shipment, or purged
		return dispatch.SMSItem{}, nil
	}
	return it, err
}
