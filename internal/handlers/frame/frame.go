// Package frame holds what the pages of every area share: the visit, the frame of a page, errors, forms, fragments,
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

// Frame holds the dependencies of every area's handlers. Each area embeds it in its own type.
type Frame struct {
	Store        *store.Store
	Session      *session.Manager
	Languages    *i18n.Languages
	Assets       *static.Assets
	Log          *slog.Logger
	PublicURL    string
	Municipality string
	Version      string
	Test         bool             // all configured services are test services
	Now          func() time.Time // never nil
	Wake         func()           // makes delivery poll now; never nil

	themes themes

	Pace middleware.RateLimiterStore // rate limit of revealing and opening, per user
}

// NewPace returns the rate limit of revealing numbers and opening others' content, per user.
func NewPace() middleware.RateLimiterStore {
	return middleware.NewRateLimiterMemoryStoreWithConfig(
		middleware.RateLimiterMemoryStoreConfig{Rate: revealsPerSecond, Burst: revealsAtOnce, ExpiresIn: time.Hour})
}
