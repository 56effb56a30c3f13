package handlers_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/await"
)

// browser is an HTTP client with cookies. It follows no redirects, and sends Origin and Referer.
type browser struct {
	t      *testing.T
	s      *site
	client *http.Client
}

// browser returns a browser with a logged-in person; nobody is not logged in.
func (s *site) browser(t *testing.T, who string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t, s, &http.Client{Transport: s.server.Client().Transport, Jar: jar, Timeout: await.Limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if who != nobody {
		b.login(who)
	}
	return b
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

func (a answer) location() string { return a.Header.Get("Location") }

// page is the HTML of a response.
func (a answer) page(t *testing.T) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func (b *browser) do(method, address, contentType, body string, headers ...string) answer {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.s.server.URL + address
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			req.Header.Del(headers[i])
		}
	}
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp, string(content)}
}

func (b *browser) get(address string, headers ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, address, "", "", headers...)
}

const formType = "application/x-www-form-urlencoded"

func (b *browser) post(address string, form url.Values, headers ...string) answer {
	b.t.Helper()
	return b.do(http.MethodPost, address, formType, form.Encode(), headers...)
}

// send presses the button of a draft's review, with the revision that it showed.
func (b *browser) send(draft string, pairs ...string) answer {
	b.t.Helper()
	return b.post(draft+"/send", fields(append(pairs, "sett", b.get(draft+"/kontroll").seen())...))
}

// seen is the revision in a review; empty on other pages.
func (a answer) seen() string {
	_, after, _ := strings.Cut(a.body, `name="sett" value="`)
	mark, _, _ := strings.Cut(after, `"`)
	return mark
}

// fields makes a form of alternating names and values.
func fields(pairs ...string) url.Values {
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return form
}

// login logs a person in on the provider's page.
func (b *browser) login(who string) {
	b.t.Helper()
	if a := b.loginAt(b.get("/logg-inn").location(), who); a.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("got %d at the end of the login: %s", a.StatusCode, a.body)
	}
}

// loginAt answers the provider's page, and returns the application's answer to the redirect.
func (b *browser) loginAt(address, who string) answer {
	b.t.Helper()
	pending := b.get(address).page(b.t).Find("input[name=pending]").AttrOr("value", "")
	return b.get(b.post(b.s.issuer+"/authorize", fields("pending", pending, "person", who)).location())
}

// fragment requests a fragment of a page.
func fragment(id string) []string { return []string{"Accept", "text/html; fragment=" + id} }

// heading is the h1 of a page, flash the message at its top.
func heading(page *goquery.Document) string { return strings.TrimSpace(page.Find("h1").Text()) }

func flash(page *goquery.Document) string {
	return strings.TrimSpace(page.Find(".ds-alert[role=status]").Text())
}
