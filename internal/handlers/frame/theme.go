package frame

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
)

// The addresses of what a theme consists of. Public: the login page and the pages of errors show it too.
const (
	ThemeSheetPath = "/tema/farger.css"
	ThemeLogoPath  = "/tema/logo.png"
)

const (
	themeAge  = 30 * time.Second // until another process's change is seen
	themeWait = time.Second      // a page does without a theme when the database is down
)

// themes keeps the municipality's theme, which every page shows.
type themes struct {
	mu     sync.Mutex
	read   time.Time
	theme  registry.Theme
	looked views.Theme
}

// themed returns the theme, at most themeAge old, with the addresses of its parts, which change with their content.
func (s *Frame) themed(c echo.Context) (registry.Theme, views.Theme) {
	k := &s.themes
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.Now().Sub(k.read).Abs() < themeAge {
		return k.theme, k.looked
	}
	k.read = s.Now()
	ctx, cancel := context.WithTimeout(Context(c), themeWait)
	defer cancel()
	t, err := registry.In(s.Store).Themes.Current(ctx)
	if err != nil {
		s.Log.WarnContext(ctx, "the theme is not read", "error", store.Describe(err))
		return k.theme, k.looked
	}
	k.theme, k.looked = t, views.Theme{Name: t.Name, Sheet: versioned(ThemeSheetPath, []byte(t.Sheet())), Logo: versioned(ThemeLogoPath, t.Logo)}
	return k.theme, k.looked
}

// ForgetTheme has the theme read again.
func (s *Frame) ForgetTheme() {
	s.themes.mu.Lock()
	defer s.themes.mu.Unlock()
	s.themes.read = time.Time{}
}

// versioned is an address that names its content; empty without content.
func versioned(path string, content []byte) string {
	if len(content) == 0 {
		return ""
	}
	sum := sha256.Sum256(content)
	return path + "?v=" + hex.EncodeToString(sum[:8])
}

// municipality is the name in the header.
func (s *Frame) municipality(t views.Theme) string {
	if t.Name != "" {
		return t.Name
	}
	return s.Municipality
}

// ThemeSheet is the style sheet of the municipality's colours.
func (s *Frame) ThemeSheet(c echo.Context) error {
	t, looked := s.themed(c)
	return themePart(c, looked.Sheet, "text/css; charset=utf-8", []byte(t.Sheet()))
}

// ThemeLogo is the municipality's logo, a PNG that we encoded ourselves.
func (s *Frame) ThemeLogo(c echo.Context) error {
	t, looked := s.themed(c)
	return themePart(c, looked.Logo, "image/png", t.Logo)
}

// themePart answers with a part, which browsers may keep if they asked for it as it is now.
func themePart(c echo.Context, address, contentType string, content []byte) error {
	if address == "" {
		return echo.ErrNotFound
	}
	if c.Request().URL.RequestURI() == address {
		c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	return c.Blob(http.StatusOK, contentType, content)
}
