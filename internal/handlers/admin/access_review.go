package admin

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// ReviewPath is the page of the access review.
const ReviewPath = "/admin/tilgangskontroll"

// OnReview wraps the page of roles for administrators and auditors. An auditor of an account sees it for that
// account.
func (s *AccessReview) OnReview(h func(echo.Context, frame.Visit) error) echo.HandlerFunc {
	return s.SignedIn(func(c echo.Context, v frame.Visit) error {
		if !v.User.MaySystem(dispatch.RightAdminister) && !audits(v.User) {
			return echo.ErrForbidden
		}
		return h(c, v)
	})
}

// audits tells whether the user is an auditor of any account.
func audits(u dispatch.User) bool {
	return slices.ContainsFunc(u.Grants, func(g dispatch.Grant) bool { return g.Role == dispatch.RoleAuditor })
}

// Show shows all rights and their holders, for the review.
func (s *AccessReview) Show(c echo.Context, v frame.Visit) error {
	return s.showAccessReviewWith(c, v, http.StatusOK, "", nil)
}

func (s *AccessReview) showAccessReviewWith(c echo.Context, v frame.Visit, status int, note string, ps dispatch.Problems) error {
	holdings, err := s.holdings(c, v)
	if err != nil {
		return err
	}
	reviews, err := registry.In(s.Store).Roles.Reviews(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.ReviewPage{Page: s.Page(c, v, "review.title"), Holdings: holdings, Reviews: reviews, Signs: v.User.MaySystem(dispatch.RightAdminister), Note: note}
	p.Section, p.Problems = views.SectionReview, ps
	return frame.Show(c, status, admin.AccessReview(p))
}

// holdings are the roles that the user may see.
func (s *AccessReview) holdings(c echo.Context, v frame.Visit) ([]dispatch.Holding, error) {
	all, err := registry.In(s.Store).Roles.Holdings(frame.Context(c))
	if err != nil || v.User.MaySystem(dispatch.RightAdminister) {
		return all, err
	}
	return slices.DeleteFunc(all, func(h dispatch.Holding) bool {
		return !slices.Contains(v.User.RolesOn(h.Account.ID), dispatch.RoleAuditor)
	}), nil
}

// Sign stores a sign-off of the access review.
func (s *AccessReview) Sign(c echo.Context, v frame.Visit) error {
	note := strings.TrimSpace(dispatch.NormalizeText(c.FormValue("merknad")))
	if n := len([]rune(note)); n > dispatch.MaxReviewNote {
		ps := dispatch.Problems{{Field: "merknad", Key: "problem.review.note", Args: dispatch.Args{"N": n}}}
		return s.showAccessReviewWith(c, v, http.StatusUnprocessableEntity, note, ps)
	}
	holdings, err := registry.In(s.Store).Roles.Holdings(frame.Context(c))
	if err != nil {
		return err
	}
	if c.FormValue(views.FieldSeen) != admin.HoldingsMark(holdings) {
		return s.showAccessReviewWith(c, v, http.StatusUnprocessableEntity, note, dispatch.Problems{{Field: "merknad", Key: "problem.review.changed"}})
	}
	if err := registry.In(s.Store).Roles.SignReview(frame.Context(c), admin.CountPeople(holdings), note, frame.Actor(c, v.User)); err != nil {
		return err
	}
	return s.FlashTo(c, ReviewPath, "flash.reviewed", 0)
}
