package follow

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

// Items shows one page of the account's items, of one kind if given.
func (s *Lists) Items(kind dispatch.Kind) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		l, err := s.lists.readList(c, v, kind)
		if err != nil {
			return err
		}
		return s.lists.showList(c, v, l)
	}
}

// Drafts shows one's own drafts.
func (s *Lists) Drafts(c echo.Context, v frame.Visit) error {
	p := compose.DraftsPage{Page: s.Page(c, v, "drafts.title"), Key: uuid.NewString()}
	p.Section = views.SectionDrafts
	var err error
	if p.OwnDrafts, err = s.drafts.ownDrafts(c, v); err != nil {
		return err
	}
	handed, err := items.In(s.Store).HandOvers.Handed(frame.Context(c), v.Account.ID, v.User.ID)
	if err != nil {
		return err
	}
	for _, h := range handed {
		p.Handed = append(p.Handed, compose.HandedLine(h))
	}
	return frame.Show(c, http.StatusOK, compose.Drafts(p))
}
