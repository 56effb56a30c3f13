package admin

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// requestLine is a request; of a pending one, with what approving it does now, or why it cannot be approved.
func (s *ActRequests) requestLine(c echo.Context, r dispatch.ActRequest) (admin.RequestLine, error) {
	l := admin.RequestLine{ActRequest: r}
	var err error
	switch {
	case !r.Waiting(s.Now()):
	case r.Act == dispatch.ActRetention:
		err = s.foreseeRetention(c, &l)
	default:
		err = s.foreseeIntegration(c, &l)
	}
	return l, err
}

// foreseeRetention adds what approval deletes. If one of the times has changed since the request, it bars approval and adds the times
// in force.
func (s *ActRequests) foreseeRetention(c echo.Context, l *admin.RequestLine) error {
	now, err := registry.In(s.Store).Retention.Current(frame.Context(c))
	if err != nil {
		return err
	}
	after, ok := l.Changed(now)
	if ok {
		l.Effects, err = s.retention.changedRetention(c, now, after, "act.retention.change.second")
		l.Effects = append(l.Effects, admin.Because("act.retention.never_back"))
		return err
	}
	l.Barred = "act_requests.stale.retention"
	for _, k := range dispatch.Keepings() {
		if l.After[k] != l.Before[k] {
			l.Effects = append(l.Effects, admin.Because("act_requests.retention.now", "What", i18n.T(frame.Context(c), "retention."+string(k)),
				"Before", views.Number(l.Before[k]), "After", views.Number(l.After[k]), "Now", views.Number(now[k])))
		}
	}
	return nil
}

// foreseeIntegration adds what approval does to an integration, and bars it if the integration was deleted.
func (s *ActRequests) foreseeIntegration(c echo.Context, l *admin.RequestLine) error {
	line, err := s.integrations.oneIntegration(c, l.Object)
	switch {
	case errors.Is(err, store.ErrNotFound):
		l.Barred = "act_requests.stale.gone"
		return nil
	case err != nil:
		return err
	case l.Act == dispatch.ActOpen:
		return s.foreseeOpening(c, l, line)
	}
	return s.foreseeDeleting(c, l, line)
}

// foreseeOpening tells the approver what will be sent when the integration is opened. The request cannot be approved if the integration
// was opened or stopped after it.
func (s *ActRequests) foreseeOpening(c echo.Context, l *admin.RequestLine, line admin.IntegrationLine) error {
	if line.StoppedAt.IsZero() || stopSeen(line.Integration) != l.Seen {
		l.Barred = "act_requests.stale.open"
		return nil
	}
	all, err := queue.In(s.Store).Operations.WaitingOn(frame.Context(c))
	l.Effects = opening(line, all[line.ID])
	return err
}

// foreseeDeleting tells the approver what will be deleted with an integration. The request cannot be approved while it is used.
func (s *ActRequests) foreseeDeleting(c echo.Context, l *admin.RequestLine, line admin.IntegrationLine) error {
	used, err := registry.In(s.Store).Integrations.Used(frame.Context(c), line.ID)
	if l.Effects = deleting(line); used {
		l.Barred = usedHow(line.Accounts)
	}
	return err
}
