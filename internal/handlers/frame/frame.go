// Package frame holds what the pages of every area share: the visit, the frame of a page, errors, forms, parts of pages,
// and the items that an address names.
package frame

import (
	"log/slog"
	"time"

	"github.com/labstack/echo/v4/middleware"

	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/static"
)

// Frame carries what every area's handlers use. Each area embeds it in its own type.
type Frame struct {
	Store        *store.Store
	Session      *session.Manager
	Catalogue    *i18n.Catalogue
	Assets       *static.Assets
	Log          *slog.Logger
	PublicURL    string
	Municipality string
	Version      string
	Test         bool             // all configured services are test services
	Now          func() time.Time // never nil
	Wake         func()           // tells delivery that something is due now; never nil

	Pace middleware.RateLimiterStore // of revealing and opening, for each user
}

// NewPace bounds how often one person may reveal a number or open others' content.
func NewPace() middleware.RateLimiterStore {
	return middleware.NewRateLimiterMemoryStoreWithConfig(
		middleware.RateLimiterMemoryStoreConfig{Rate: revealsPerSecond, Burst: revealsAtOnce, ExpiresIn: time.Hour})
}
