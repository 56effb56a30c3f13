package devidp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

func TestLoginPage(t *testing.T) {
	t.Parallel()
	r := start(t)
	res := r.get(t, r.loginURL())
	page := document(t, res, http.StatusOK)

	t.Run("lists everyone as a button with name and role", func(t *testing.T) {
		t.Parallel()
		got := page.Find("form[method=post] li button[name=person]").Map(func(_ int, b *goquery.Selection) string {
			return b.AttrOr("value", "") + ": " + b.Text()
		})
		want := []string{"kari: Kari Oppdiktet Saksbehandler, Oppvekst", "ola: Ola <Oppdiktet>"}
		if diff := cmp.Diff(got, want); diff != "" {
			t.Error("buttons (-got +want):\n" + diff)
		}
		if page.Find("form button[name=cancel]").Length() != 1 {
			t.Error("nothing cancels")
		}
	})

	t.Run("has what a page needs to be read by everyone", func(t *testing.T) {
		t.Parallel()
		for selector, want := range map[string]string{
			"html[lang=nb] > head > title": "Velg hvem du vil være – Innlogging for utvikling",
			"main h1":                      "Velg hvem du vil være",
			"header":                       "Innlogging for utvikling",
			"main":                         "oppdiktet innlogging",
		} {
			if got := page.Find(selector); got.Length() != 1 || !strings.Contains(got.Text(), want) {
				t.Errorf("got %d × %s saying %q", got.Length(), selector, got.Text())
			}
		}
		if page.Find("h1").Length() != 1 || page.Find("meta[name=viewport]").Length() != 1 {
			t.Error("want one h1 and a viewport")
		}
		if page.Find("script, style, [style], [onclick]").Length() != 0 {
			t.Error("the page has something inline")
		}
	})

	t.Run("keeps the request to itself", func(t *testing.T) {
		t.Parallel()
		if got := page.Find("input").Length(); got != 1 {
			t.Errorf("got %d fields, want the pending id alone", got)
		}
	})

	t.Run("lets its form lead to itself and back to the client only", func(t *testing.T) {
		t.Parallel()
		want := "default-src 'none'; style-src 'self'; form-action 'self' https://app.example; frame-ancestors 'none'; base-uri 'none'"
		if got := res.Header.Get("Content-Security-Policy"); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, path := range []string{"/jwks", "/style.css", "/authorize", "/end-session", "/userinfo", "/nowhere", "/.well-known/openid-configuration"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			h := r.get(t, r.issuer+path).Header
			got := []string{h.Get("Cache-Control"), h.Get("X-Content-Type-Options"), h.Get("Referrer-Policy")}
			if diff := cmp.Diff(got, []string{"no-store", "nosniff", "no-referrer"}); diff != "" {
				t.Error("headers (-got +want):\n" + diff)
			}
			if got := h.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; style-src 'self'; form-action 'self';") {
				t.Errorf("got policy %q", got)
			}
		})
	}
}

func TestStylesheet(t *testing.T) {
	t.Parallel()
	r := startAt(t, "/dev")
	href := document(t, r.get(t, r.loginURL()), http.StatusOK).Find("link[rel=stylesheet]").AttrOr("href", "")
	res := r.get(t, strings.TrimSuffix(r.issuer, "/dev")+href)
	if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/css; charset=utf-8" {
		t.Errorf("got %d %s at %s", res.StatusCode, got, href)
	}
}
