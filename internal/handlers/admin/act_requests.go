package admin

import (
	"errors"
	"net/http"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const requestsPath = "/admin/godkjenning"

// List shows requests that await another administrator, and decided ones.
func (s *ActRequests) List(c echo.Context, v frame.Visit) error {
	return s.showActRequests(c, v, nil)
}

func (s *ActRequests) showActRequests(c echo.Context, v frame.Visit, ps dispatch.Problems) error {
	list, err := registry.In(s.Store).ActRequests.List(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.ActRequestsPage{Page: s.Page(c, v, "act_requests.title"), Rows: make([]admin.RequestLine, len(list))}
	for i, r := range list {
		if p.Rows[i], err = s.requestLine(c, r); err != nil {
			return err
		}
	}
	p.Section, p.Problems = views.SectionActRequests, ps
	if slices.ContainsFunc(list, func(r dispatch.ActRequest) bool { return r.MayWithdraw(v.User, s.Now()) }) {
		other, err := registry.In(s.Store).ActRequests.OtherAdministrator(frame.Context(c), v.User.ID)
		if err != nil {
			return err
		}
		p.Alone = !other
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusConflict
	}
	return frame.Show(c, status, admin.ActRequests(p))
}

// theRequest reads the request named by the address; without the right to its act it is not found.
func (s *ActRequests) theRequest(c echo.Context, v frame.Visit) (dispatch.ActRequest, error) {
	r, err := registry.In(s.Store).ActRequests.ByID(frame.Context(c), dispatch.ActRequestID(c.Param("id")))
	if err == nil && !v.User.MaySystem(r.Act.Right()) {
		err = store.ErrNotFound
	}
	return r, err
}

// Approve approves another administrator's request, and performs the act.
func (s *ActRequests) Approve(c echo.Context, v frame.Visit) error {
	r, err := s.theRequest(c, v)
	if err != nil {
		return err
	}
	by := frame.Actor(c, v.User)
	by.Reason = r.Reason
	err = registry.In(s.Store).ActRequests.Approve(frame.Context(c), r.ID, s.Now(), by, func(tx *sqlx.Tx, r dispatch.ActRequest) error {
		return s.doApproved(c, tx, r, by)
	})
	if errors.Is(err, registry.ErrInUse) {
		using, err := s.accountsUsing(c, r.Object)
		if err != nil {
			return err
		}
		return s.showActRequests(c, v, dispatch.Problems{{Field: admin.RequestField(r), Key: usedHow(using)}})
	}
	if err == nil && r.Object != "" {
		s.Upstream.Forget(r.Object)
	}
	return s.decided(c, v, r, "flash.act_approved", err)
}

// accountsUsing are the accounts that use an integration.
func (s *ActRequests) accountsUsing(c echo.Context, id dispatch.IntegrationID) (using []dispatch.Account, err error) {
	accounts, err := registry.In(s.Store).Accounts.List(frame.Context(c))
	for _, a := range accounts {
		if a.SMSIntegration == id || a.ShipmentIntegration == id {
			using = append(using, a)
		}
	}
	return using, err
}

// doApproved performs an approved act in the transaction of the approval.
func (s *ActRequests) doApproved(c echo.Context, tx *sqlx.Tx, r dispatch.ActRequest, by store.Actor) error {
	switch r.Act {
	case dispatch.ActOpen:
		return queue.In(s.Store).Operations.OpenApproved(frame.Context(c), tx, r, by)
	case dispatch.ActDelete:
		return registry.In(s.Store).Integrations.Delete(frame.Context(c), tx, r.Object, by)
	case dispatch.ActRetention:
		return registry.In(s.Store).Retention.SaveApproved(frame.Context(c), tx, r, by)
	}
	return store.ErrNotFound
}

// Refuse refuses another administrator's request.
func (s *ActRequests) Refuse(c echo.Context, v frame.Visit) error {
	r, err := s.theRequest(c, v)
	if err != nil {
		return err
	}
	return s.decided(c, v, r, "flash.act_refused", registry.In(s.Store).ActRequests.Refuse(frame.Context(c), r.ID, s.Now(), frame.Actor(c, v.User)))
}

// Withdraw withdraws the user's own request.
func (s *ActRequests) Withdraw(c echo.Context, v frame.Visit) error {
	r, err := s.theRequest(c, v)
	if err != nil {
		return err
	}
	if r.AskedBy != v.User.ID {
		return store.ErrNotFound
	}
	return s.decided(c, v, r, "flash.act_withdrawn", registry.In(s.Store).ActRequests.Withdraw(frame.Context(c), r.ID, s.Now(), frame.Actor(c, v.User)))
}

// decided redirects to the list after a decision. The requester cannot approve, and an object that has changed since is reported.
func (s *ActRequests) decided(c echo.Context, v frame.Visit, r dispatch.ActRequest, done string, err error) error {
	problem := func(key string) error {
		return s.showActRequests(c, v, dispatch.Problems{{Field: admin.RequestField(r), Key: key}})
	}
	switch {
	case errors.Is(err, registry.ErrOwnRequest):
		return problem("problem.act.own")
	case errors.Is(err, store.ErrChanged), errors.Is(err, store.ErrStale), errors.Is(err, store.ErrNotFound):
		return problem("problem.act.changed")
	case err != nil:
		return err
	}
	s.Wake()
	return s.FlashTo(c, requestsPath, done, 0)
}
