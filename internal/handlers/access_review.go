package handlers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

const reviewPath = "/admin/tilgangskontroll"

// onReview wraps the page of who has what, for administrators and auditors. An auditor sees it for their own accounts.
func (s *server) onReview(h func(echo.Context, visit) error) echo.HandlerFunc {
	return s.signedIn(func(c echo.Context, v visit) error {
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

func (s *server) showAccessReview(c echo.Context, v visit) error {
	return s.showAccessReviewWith(c, v, http.StatusOK, "", nil)
}

func (s *server) showAccessReviewWith(c echo.Context, v visit, status int, note string, ps dispatch.Problems) error {
	holdings, err := s.holdings(c, v)
	if err != nil {
		return err
	}
	reviews, err := s.o.Store.AccessReviews(ctx(c))
	if err != nil {
		return err
	}
	p := views.ReviewPage{Page: s.page(c, v, "review.title"), Holdings: holdings, Reviews: reviews, Signs: v.User.MaySystem(dispatch.RightAdminister), Note: note}
	p.Section, p.Problems = views.SectionReview, ps
	return show(c, status, views.AccessReview(p))
}

// holdings are those that the user may look at.
func (s *server) holdings(c echo.Context, v visit) ([]dispatch.Holding, error) {
	all, err := s.o.Store.Holdings(ctx(c))
	if err != nil || v.User.MaySystem(dispatch.RightAdminister) {
		return all, err
	}
	return slices.DeleteFunc(all, func(h dispatch.Holding) bool {
		return !slices.Contains(v.User.RolesOn(h.Account.ID), dispatch.RoleAuditor)
	}), nil
}

// signReview keeps that somebody has looked at who has what.
func (s *server) signReview(c echo.Context, v visit) error {
	note := strings.TrimSpace(dispatch.NormalizeText(c.FormValue("merknad")))
	if n := len([]rune(note)); n > dispatch.MaxReviewNote {
		ps := dispatch.Problems{{Field: "merknad", Key: "problem.review.note", Args: dispatch.Args{"N": n}}}
		return s.showAccessReviewWith(c, v, http.StatusUnprocessableEntity, note, ps)
	}
	holdings, err := s.o.Store.Holdings(ctx(c))
	if err != nil {
		return err
	}
	if c.FormValue(views.FieldSeen) != views.HoldingsMark(holdings) {
		return s.showAccessReviewWith(c, v, http.StatusUnprocessableEntity, note, dispatch.Problems{{Field: "merknad", Key: "problem.review.changed"}})
	}
	people := map[string]bool{}
	for _, h := range holdings {
		if h.Person != "" {
			people[h.Person] = true
		}
	}
	if err := s.o.Store.SignReview(ctx(c), len(people), note, by(c, v.User)); err != nil {
		return err
	}
	return s.flashTo(c, reviewPath, "flash.reviewed", 0)
}
