package handlers_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"utsending/internal/handlers"
)

// TestErrorPages: what happened, what to do, a reference, and no internals.
func TestErrorPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, none := s.browser(t, caseworker), s.browser(t, nobody)
	tests := []struct {
		name    string
		answer  answer
		status  int
		heading string
		action  string // where the button leads
	}{
		{"nobody is logged in", none.get("/k/oppvekst/sms?eldre=1"), 401, "Du er ikke logget inn", "/logg-inn?retur=%2Fk%2Foppvekst%2Fsms"},
		{"nobody is logged in any more when a form is sent", none.post("/k/oppvekst/sms/ny", whole()), 401, "Du er logget ut", "/logg-inn"},
		{"the right is missing", kari.get("/admin/levering"), 403, "Du har ikke tilgang til denne siden", "/"},
		{"the account is another's", kari.get("/k/helse/sms"), 404, "Vi finner ikke siden", "/"},
		{"there is no such account", kari.get("/k/nothing/sms"), 404, "Vi finner ikke siden", "/"},
		{"there is no such page", kari.get("/nothing"), 404, "Vi finner ikke siden", "/"},
		{"there is no such page in the account", kari.get("/k/oppvekst/nothing"), 404, "Vi finner ikke siden", "/"},
		{"there is no such page for nobody", none.get("/nothing"), 404, "Vi finner ikke siden", "/"},
		{"the form is too large", kari.post("/k/oppvekst/sms/ny", fields("tekst", strings.Repeat("x", 300_000))), 413, "Filen eller skjemaet er for stort", "/"},
		{"the form is none", kari.do("POST", "/k/oppvekst/sms/ny", formType, "tekst=%zz"), 400, "Vi forsto ikke forespørselen", "/"},
		{"the login is refused", none.get("/oidc/retur?state=x&code=y"), 400, "Innloggingen ble ikke fullført", "/logg-inn"},
	}
	t.Run("what was typed is not said to be saved when nobody is logged in any more", func(t *testing.T) {
		got := none.post("/k/oppvekst/sms/ny", whole())
		wantWords(t, got, "Det du skrev nå sist, er ikke lagret.", "Logg inn i en ny fane")
		if got.page(t).Find("main a.ds-button").AttrOr("target", "") != "_blank" {
			t.Error("the button leaves the page that holds what was typed")
		}
	})
	for _, test := range tests {
		t.Run("when "+test.name, func(t *testing.T) {
			t.Parallel()
			page := test.answer.page(t)
			if test.answer.StatusCode != test.status || heading(page) != test.heading {
				t.Errorf("got %d %q, want %d %q", test.answer.StatusCode, heading(page), test.status, test.heading)
			}
			if got := page.Find("main a.ds-button").AttrOr("href", ""); got != test.action {
				t.Errorf("the button leads to %q, want %q", got, test.action)
			}
			if got, want := page.Find("main code").Text(), test.answer.Header.Get("X-Request-Id"); got != want && test.status != 401 {
				t.Errorf("got error id %q, want %q", got, want)
			}
			checkDiscreet(t, test.answer)
		})
	}
}

// checkDiscreet fails if a response reveals internals.
func checkDiscreet(t *testing.T, a answer) {
	t.Helper()
	for _, word := range []string{"pq:", "sql", "SELECT", "relation", "goroutine", "panic", "dial", "127.0.0.1:", ".go:", "echo", "code=", "EOF"} {
		if strings.Contains(a.body, word) {
			t.Errorf("the page says %q", word)
		}
	}
}

// TestErrorPagesKeepTheNavigation: an error page keeps the menu of the user and of the account visited last.
func TestErrorPagesKeepTheNavigation(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari := s.browser(t, caseworker)
	kari.get("/k/oppvekst/sms")
	tests := []struct {
		address, user string
		navigation    bool
	}{
		{"/k/oppvekst/sms/1", "Kari Nordmann", true},
		{"/k/helse/sms", "Kari Nordmann", true}, // another's account: her own navigation
		{"/nothing", "Kari Nordmann", true},
		{"/admin/levering", "Kari Nordmann", true},
	}
	for _, test := range tests {
		t.Run(test.address, func(t *testing.T) {
			t.Parallel()
			page := kari.get(test.address).page(t)
			if got := page.Find("#menu-bruker h2").Text(); got != test.user {
				t.Errorf("got user %q, want %q", got, test.user)
			}
			if got := page.Find("#sidemeny").Length() == 1; got != test.navigation {
				t.Errorf("got navigation %t, want %t", got, test.navigation)
			}
			if page.Find("#sidemeny a[href^='/k/helse']").Length() > 0 || test.navigation && page.Find("#sidemeny a[href^='/k/oppvekst']").Length() == 0 {
				t.Error("the navigation is not that of her own account")
			}
		})
	}
}

// TestUnforeseenErrors are reported as our own fault.
func TestUnforeseenErrors(t *testing.T) {
	t.Parallel()

	t.Run("a statement that fails", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		b := s.browser(t, caseworker)
		id := string(s.queued(t, caseworker, message("Hei der")))
		s.run(t, `ALTER TABLE events RENAME TO elsewhere`)
		checkOurFault(t, s, b.get("/k/oppvekst/sms/"+id))
		if !strings.Contains(s.log.String(), "42P01") {
			t.Error("the log does not say what it was")
		}
	})
	t.Run("a panic", func(t *testing.T) {
		t.Parallel()
		s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
			o.Upstream = nil
			return handlers.New(o)
		}})
		got := s.browser(t, systemAdmin).get("/admin/levering")
		checkOurFault(t, s, got)
		if strings.Contains(got.body, "nil pointer") {
			t.Error("the page says what the panic said")
		}
		if log := s.log.String(); !strings.Contains(log, `"msg":"panic"`) || !strings.Contains(log, "integrationRows") {
			t.Error("the log does not say where it was")
		}
	})
}

func checkOurFault(t *testing.T, s *site, got answer) {
	t.Helper()
	id := got.Header.Get("X-Request-Id")
	page := got.page(t)
	if got.StatusCode != http.StatusInternalServerError || heading(page) != "Noe gikk galt hos oss" || page.Find("main code").Text() != id {
		t.Errorf("got %d %q with error id %q", got.StatusCode, heading(page), page.Find("main code").Text())
	}
	if page.Find("#menu-bruker").Length() != 1 {
		t.Error("the page has lost who is logged in")
	}
	checkDiscreet(t, got)
	if !strings.Contains(s.log.String(), `"msg":"request failed"`) || !strings.Contains(s.log.String(), id) {
		t.Error("the log does not have the error with its id")
	}
}

// TestBadForms: a body that cannot be parsed is refused.
func TestBadForms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := string(s.draft(t, caseworker, message("Utkast")))
	reads := []string{"/sms/ny", "/sms/teller", "/sms/sjekk", "/sms/uavklart", "/sms/" + id + "/endre", "/sms/" + id + "/kopier"}
	bodies := []struct {
		name, contentType, body string
		want                    int
	}{
		{"too large", formType, "tekst=" + strings.Repeat("x", 257<<10), 413},
		{"too large in parts", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"tekst\"\r\n\r\n" + strings.Repeat("x", 257<<10) + "\r\n--x--\r\n", 413},
		{"badly escaped", formType, "tekst=%zz", 400},
		{"with semicolons", formType, "a=1;b=2", 400},
		{"parts without a boundary", "multipart/form-data", "--x", 400},
		{"parts without an end", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"tekst\"\r\n\r\nHei", 400},
	}
	for _, path := range reads {
		for _, body := range bodies {
			t.Run(path[len("/sms/"):]+" "+body.name, func(t *testing.T) {
				t.Parallel()
				if got := b.do("POST", "/k/oppvekst"+path, body.contentType, body.body).StatusCode; got != body.want {
					t.Errorf("got %d, want %d", got, body.want)
				}
			})
		}
	}
	t.Run("that is JSON is an empty form", func(t *testing.T) {
		t.Parallel()
		if got := b.do("POST", "/k/oppvekst/sms/ny", "application/json", `{"tekst": "Hei"}`).StatusCode; got != 422 {
			t.Errorf("got %d, want 422", got)
		}
	})
}

// TestVisitorWhoLeaves: a page closed while it loads is not logged as an error.
func TestVisitorWhoLeaves(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	left, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(left, http.MethodGet, "/k/oppvekst/sms", nil)
	r.AddCookie(&http.Cookie{Name: "__Host-utsending", Value: "a-session"})
	s.server.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
	if log := s.log.String(); !strings.Contains(log, "visitor left") || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("got the log %s", log)
	}
}

// tooSlow is a body whose rest is not waited for any more.
type tooSlow struct{ *strings.Reader }

func (b tooSlow) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded} // as net/http tells it
}

// TestTooSlow: a body that we stopped waiting for is the sender's trouble: no fault of ours, and no database that is away.
func TestTooSlow(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	const file = "--x\r\nContent-Disposition: form-data; name=\"fil\"; filename=\"brev.pdf\"\r\n\r\n%PDF-1.7"
	list := strings.Replace(file, "brev.pdf", "liste.csv", 1)
	for name, test := range map[string]struct{ path, contentType, body string }{
		"a form":                {"/k/oppvekst/sms/ny", formType, "tekst=Hei"},
		"a file":                {draft + "/dokumenter", "multipart/form-data; boundary=x", file},
		"the headers of a file": {draft + "/dokumenter", "multipart/form-data; boundary=x", file[:strings.Index(file, "\r\n\r\n")+2]},
		"a list":                {"/k/oppvekst/sms/ny/flere", "multipart/form-data; boundary=x", list},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, b.s.server.URL+test.path, tooSlow{strings.NewReader(test.body)})
			r.Header.Set("Content-Type", test.contentType)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			for _, cookie := range b.client.Jar.Cookies(r.URL) {
				r.AddCookie(cookie)
			}
			got := httptest.NewRecorder()
			s.server.Config.Handler.ServeHTTP(got, r)
			if got.Code != http.StatusRequestTimeout || !strings.Contains(got.Body.String(), "Overføringen gikk for sakte") {
				t.Errorf("got %d %s", got.Code, got.Body)
			}
		})
	}
	if log := s.log.String(); strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, "came too slowly") {
		t.Errorf("got the log %s", log)
	}
}
