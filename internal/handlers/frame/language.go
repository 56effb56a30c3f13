package frame

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// languageCookie remembers the chosen language on a device, also before the login.
const languageCookie = "sprak"

// ChosenLanguage is the language that a request's user has chosen; empty: none. It may be one that there is not.
func ChosenLanguage(c echo.Context) string {
	cookie, err := c.Cookie(languageCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Remember stores a choice of how pages look in a cookie; an empty value removes it.
func Remember(c echo.Context, name, value string) {
	age := int((365 * 24 * time.Hour).Seconds())
	if value == "" {
		age = -1
	}
	c.SetCookie(&http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode, MaxAge: age})
}

// RememberLanguage stores the chosen language on the device; empty: none is chosen.
func RememberLanguage(c echo.Context, lang string) { Remember(c, languageCookie, lang) }
