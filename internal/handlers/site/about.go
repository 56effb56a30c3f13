package site

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/site"
)

// Privacy shows the privacy notice, with the retention periods in force.
func (s *Pages) Privacy(c echo.Context) error {
	kept, err := registry.In(s.Store).Retention.Current(frame.Context(c))
	if err != nil {
		return err
	}
	return s.Article("privacy.title", func(ctx context.Context, p views.Page, who views.Contacts) site.ArticlePage {
		return site.Privacy(ctx, p, who, kept)
	})(c)
}

// Article shows a public text page; logged-in users keep their navigation.
func (s *Pages) Article(title string, write func(context.Context, views.Page, views.Contacts) site.ArticlePage) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := s.User(c); err != nil && !errors.Is(err, frame.ErrSignedOut) {
			return err
		}
		p := s.SiteFrame(c)
		p.Title = i18n.T(frame.Context(c), title)
		return frame.Show(c, http.StatusOK, site.Article(write(frame.Context(c), p, s.Contacts)))
	}
}
