package browsertest

import (
	"context"
	"net/http"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// SetCookie sets a cookie as the server at an address would, for the next page.
func (p *Page) SetCookie(address string, c *http.Cookie) {
	p.t.Helper()
	p.once("set the cookie "+c.Name, func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{
			Name: c.Name, Value: c.Value, URL: address, Path: c.Path, Secure: &c.Secure, HTTPOnly: &c.HttpOnly,
			SameSite: map[http.SameSite]network.CookieSameSite{
				http.SameSiteLaxMode: network.CookieSameSiteLax, http.SameSiteStrictMode: network.CookieSameSiteStrict,
				http.SameSiteNoneMode: network.CookieSameSiteNone,
			}[c.SameSite],
		})
		return err
	})
}
