package handlers_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"utsending/internal/handlers"
	"utsending/internal/pdf"
	"utsending/internal/store/storetest"
)

// Attacks that no other test covers. Forged and replayed callbacks are in package session, forged forms in
// TestForgery, other accounts' ids in TestForeignItems, unlimited look-ups in TestLookupLimits.

// TestPlantedCookie (session fixation): a session that an attacker starts and plants in another browser is useless
// after that user's login.
func TestPlantedCookie(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	attacker, victim := s.browser(t, nobody), s.browser(t, nobody)
	address := attacker.get("/logg-inn").location()
	site, err := url.Parse(s.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	planted := attacker.client.Jar.Cookies(site)
	if len(planted) != 1 {
		t.Fatalf("got %d cookies, want one", len(planted))
	}
	victim.client.Jar.SetCookies(site, []*http.Cookie{{Name: planted[0].Name, Value: planted[0].Value, Path: "/", Secure: true}})
	if got := victim.loginAt(address, caseworker); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d at the end of the login", got.StatusCode)
	}
	if got := victim.get("/kontoer").StatusCode; got != http.StatusOK {
		t.Errorf("got %d for who has logged in, want 200", got)
	}
	if got := attacker.get("/kontoer").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d for who planted the cookie, want 401", got)
	}
	if now := victim.client.Jar.Cookies(site); slices.ContainsFunc(now, func(c *http.Cookie) bool { return c.Value == planted[0].Value }) {
		t.Error("the session kept its name over the login")
	}
}

// TestReturnAddresses (open redirect): the login redirects to our own pages only.
func TestReturnAddresses(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, back := range []string{
		"https://evil.example/", "//evil.example/", `/\evil.example/`, `\\evil.example`, "///evil.example", "/k/../..//evil.example", "javascript:alert(1)",
		"/\t/evil.example", "/%09/evil.example", "https:evil.example", "/logg-ut", strings.Repeat("/a", 5000), "/k/oppvekst/sms\r\nX-Evil: 1",
	} {
		b := s.browser(t, nobody)
		got := b.loginAt(b.get("/logg-inn?retur="+url.QueryEscape(back)).location(), caseworker)
		u, err := url.Parse(got.location())
		if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(got.location(), "/") || strings.HasPrefix(got.location(), "//") || strings.Contains(got.location(), `\`) || got.Header.Get("X-Evil") != "" {
			t.Errorf("%q: got %d to %q", back, got.StatusCode, got.location())
		}
	}
}

// TestActiveFiles: active content is served as a download, whatever its type claims.
func TestActiveFiles(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PDF = pdf.New(pdf.Options{})
		return handlers.New(o)
	}})
	b := s.browser(t, caseworker)
	for content, name := range map[string]string{
		"<!doctype html><script>alert(1)</script>":                                      "side.html",
		`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`:                   "tegning.svg",
		"%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF":                       "begge.pdf",
		"GIF89a/*<script>alert(1)</script>*/=1":                                         "bilde.gif.html",
		`<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><a>Brev</a>`: "brev.xml",
	} {
		draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
		kind, body := listForm("fil", "fil:"+content)
		if got := b.do(http.MethodPost, draft+"/dokumenter", kind, strings.Replace(body, "liste.csv", name, 1), "Accept", "text/html; fragment=dokument"); got.StatusCode != http.StatusOK {
			t.Errorf("%s: got %d for the upload", name, got.StatusCode)
			continue
		}
		id := strings.TrimPrefix(draft[strings.LastIndex(draft, "/"):], "/")
		var document string
		if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT id FROM documents WHERE item_id = $1`, id).Scan(&document); err != nil {
			t.Fatal(err)
		}
		got := b.get(draft + "/dokumenter/" + document)
		h := got.Header
		if got.StatusCode == http.StatusNotFound { // a draft shows nothing but PDFs
			continue
		}
		if !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || h.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") || strings.Contains(h.Get("Content-Type"), "html") || strings.Contains(h.Get("Content-Type"), "svg") {
			t.Errorf("%s: got %d with %v", name, got.StatusCode, h)
		}
	}
}

// TestAbsurdForms: oversized forms are refused quickly.
func TestAbsurdForms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	part := "--x\r\nContent-Disposition: form-data; name=\"tittel\"\r\n\r\nHei\r\n"
	for name, c := range map[string]struct{ address, kind, body string }{
		"a hundred thousand parts":    {draft + "/dokumenter", "multipart/form-data; boundary=x", strings.Repeat(part, 100_000) + "--x--\r\n"},
		"a part with endless headers": {draft + "/dokumenter", "multipart/form-data; boundary=x", "--x\r\nX-A: " + strings.Repeat("a", 20<<20) + "\r\n\r\nHei\r\n--x--\r\n"},
		"a part with many headers":    {draft + "/dokumenter", "multipart/form-data; boundary=x", "--x\r\n" + strings.Repeat("X-A: a\r\n", 100_000) + "\r\nHei\r\n--x--\r\n"},
		"an endless boundary":         {draft + "/dokumenter", "multipart/form-data; boundary=" + strings.Repeat("x", 5000), part},
		"a form of a million fields":  {"/k/oppvekst/sms/ny", formType, strings.Repeat("a=1&", 1_000_000)},
		"a field of a megabyte":       {"/k/oppvekst/sms/ny", formType, "tekst=" + strings.Repeat("a", 1<<20)},
		"a search of a megabyte":      {"/k/oppvekst/sok", formType, "q=" + strings.Repeat("a", 1<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := b.do(http.MethodPost, c.address, c.kind, c.body); got.StatusCode < 400 || got.StatusCode >= 500 {
				t.Errorf("got %d, want a refusal", got.StatusCode)
			}
		})
	}
}

// TestRevealsAreBounded: a user who reveals number after number is stopped, and others are not.
func TestRevealsAreBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	address := "/k/oppvekst/sms/" + string(s.accepted(t, caseworker, message("Hei der "+rand.Text()))) + "/vis"
	b := s.browser(t, caseworker)
	last := 0
	for range 100 {
		if last = b.post(address, fields()).StatusCode; last != http.StatusOK {
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("got %d in the end, want 429", last)
	}
	if got := s.browser(t, teamLead).post(address, fields("begrunnelse", reason)).StatusCode; got != http.StatusOK {
		t.Errorf("got %d for somebody else, want 200", got)
	}
	if page := b.post(address, fields()).page(t); heading(page) == "" {
		t.Error("nothing tells why")
	}
}
