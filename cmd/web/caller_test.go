package main_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/browsertest/plain"
	"utsending/internal/pdf/pdftest"
)

// caller is a logged-in person without a browser: it sees status codes, and can make concurrent requests.
type caller struct {
	t       *testing.T
	address string
	client  http.Client
}

// caller logs a person in through the provider's form.
func (s *stack) caller(t *testing.T, subject string) *caller {
	t.Helper()
	c := &caller{t: t, address: s.address, client: http.Client{Jar: plain.NewJar()}}
	answer := c.do(http.MethodGet, s.address+"/logg-inn", nil)
	page, err := goquery.NewDocumentFromReader(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	pending, _ := page.Find("[name=pending]").Attr("value")
	answer = c.do(http.MethodPost, s.issuer+"/authorize", url.Values{"pending": {pending}, "person": {subject}})
	_ = answer.Body.Close()
	if answer.Request.URL.Host != s.address[len("http://"):] {
		t.Fatalf("login ends at %s", answer.Request.URL)
	}
	c.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

func (c *caller) do(method, address string, form url.Values) *http.Response {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// get returns the status and the text of a page.
func (c *caller) get(path string) (int, string) {
	c.t.Helper()
	return c.read(c.do(http.MethodGet, c.address+path, nil))
}

// post returns the status and the text of the answer to a form.
func (c *caller) post(path string, form url.Values) (int, string) {
	c.t.Helper()
	return c.read(c.do(http.MethodPost, c.address+path, form))
}

func (c *caller) read(answer *http.Response) (int, string) {
	c.t.Helper()
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// postAtOnce posts one form many times concurrently, and returns where each answer redirects.
func (c *caller) postAtOnce(times int, path string, form url.Values) []string {
	c.t.Helper()
	to := make([]string, times)
	var posts sync.WaitGroup
	for i := range times {
		posts.Go(func() {
			answer, err := c.client.PostForm(c.address+path, form)
			if err != nil {
				c.t.Error(err)
				return
			}
			_ = answer.Body.Close()
			if to[i] = answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther {
				c.t.Errorf("%s is answered with %d", path, answer.StatusCode)
			}
		})
	}
	posts.Wait()
	return to
}

// uploadPDF uploads a PDF into a draft and returns the name of the file. The answer is its row.
func (c *caller) uploadPDF(draft string) string {
	c.t.Helper()
	return c.uploadAndSee(draft, pdftest.Make(3), "3 sider")
}

// uploadAndSee uploads a PDF, whose row must say this.
func (c *caller) uploadAndSee(draft string, file []byte, want string) string {
	c.t.Helper()
	name := named(mark()) + ".pdf"
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("fil", name)
	if err == nil {
		_, err = part.Write(file)
	}
	if err != nil || form.Close() != nil {
		c.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.address+draft+"/dokumenter", &body)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Accept", "text/html; fragment=dokument")
	answer, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	if status, row := c.read(answer); status != http.StatusOK || !strings.Contains(row, name) || !strings.Contains(row, want) {
		c.t.Errorf("the upload is answered with %d: %s", status, row)
	}
	return name
}
