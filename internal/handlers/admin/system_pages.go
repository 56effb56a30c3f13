package admin

import (
	"errors"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// operated redirects after an act. The page says done, or on ErrChanged that another user was faster.
func (s *systemPages) operated(c echo.Context, to, done string, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, to, "flash.too_late", 0)
	}
	if err != nil {
		return err
	}
	s.Wake()
	return s.FlashTo(c, to, done, 0)
}

// bySlug finds an account by its short name.
func (s *systemPages) bySlug(c echo.Context, slug string) (dispatch.Account, error) {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	if err != nil {
		return dispatch.Account{}, err
	}
	for _, a := range accounts {
		if a.Slug == slug {
			return a, nil
		}
	}
	return dispatch.Account{}, store.ErrNotFound
}

// auditedAccounts are the accounts whose acts the user may see.
func (s *systemPages) auditedAccounts(c echo.Context, v frame.Visit) ([]dispatch.Account, error) {
	if v.User.Audits().All {
		return registry.In(s.Store).Accounts.List(frame.Context(c))
	}
	var list []dispatch.Account
	for _, a := range v.User.Accounts() {
		if v.User.May(dispatch.RightAudit, a.ID) {
			list = append(list, a)
		}
	}
	return list, nil
}

// waitingRequests are the pending requests about an integration, but one to open it after an earlier stop; about none, those about the
// whole system.
func (s *systemPages) waitingRequests(c echo.Context, in dispatch.Integration) ([]dispatch.ActRequest, error) {
	list, err := registry.In(s.Store).ActRequests.List(frame.Context(c))
	return slices.DeleteFunc(list, func(r dispatch.ActRequest) bool {
		return r.Object != in.ID || !r.Waiting(s.Now()) || r.Act == dispatch.ActOpen && r.Seen != stopSeen(in)
	}), err
}

// stopSeen identifies the stop that a request to open an integration is about.
func stopSeen(in dispatch.Integration) string { return strconv.FormatInt(in.StoppedAt.UnixMicro(), 10) }
