package handlers

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/i18n"
	"utsending/internal/views"
)

// article shows a page to read, to anybody; those who are logged in keep the frame.
func (s *server) article(title string, write func(context.Context, views.Page, views.Contacts) views.ArticlePage) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := s.user(c); err != nil && !errors.Is(err, errSignedOut) {
			return err
		}
		p := s.errorFrame(c)
		p.Title = i18n.T(ctx(c), title)
		return show(c, http.StatusOK, views.Article(write(ctx(c), p, s.o.Contacts)))
	}
}
