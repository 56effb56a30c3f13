package plain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// maxRedirects is how many redirects browsers follow.
const maxRedirects = 20

// request is a way to a page, which Reload and Back take again.
type request struct {
	method string
	to     *url.URL
	kind   string // content type of the body
	body   []byte

	from     *url.URL // the page that it is asked for from; nil: a person typed the address
	referrer string   // that page's policy
}

// entry is a step of the history.
type entry struct {
	request
	doc *document // the same for steps within a page
}

// Go opens an address. Within a site, a path will do.
func (p *Page) Go(address string) {
	p.t.Helper()
	to, err := p.resolve(address)
	if err != nil {
		p.fail("go to "+address, err)
	}
	p.visit("go to "+address, request{method: http.MethodGet, to: to})
}

func (p *Page) resolve(address string) (*url.URL, error) {
	to, err := url.Parse(address)
	if err == nil && p.doc != nil {
		to = p.doc.address.ResolveReference(to)
	}
	if err == nil && to.Host == "" && to.Scheme == "" {
		err = errNoPage
	}
	return to, err
}

// Back requests the previous page of the history again. Text typed there before is lost.
func (p *Page) Back() {
	p.t.Helper()
	if p.at < 1 {
		p.fail("go back", errors.New("this is the first page"))
	}
	p.at--
	to := p.history[p.at]
	if to.doc == p.doc {
		p.doc.address = to.to
		return
	}
	p.again("go back", to.request)
}

// Reload loads the page again, sending a form again if it is the answer to one.
func (p *Page) Reload() {
	p.t.Helper()
	if p.doc == nil {
		p.fail("reload", errNoPage)
	}
	p.again("reload", p.history[p.at].request)
}

// again asks for the page of a step of the history.
func (p *Page) again(action string, r request) {
	p.t.Helper()
	if way, ok := p.load(action, r); ok {
		p.history[p.at] = entry{way, p.doc}
	}
}

// visit goes to another page, or to a place on this one.
func (p *Page) visit(action string, r request) {
	p.t.Helper()
	if p.doc != nil && r.method == http.MethodGet && r.to.Fragment != "" && withoutFragment(r.to) == withoutFragment(p.doc.address) {
		p.doc.address = r.to
		p.doc.focusOn(p.doc.byID(r.to.Fragment))
		p.remember(entry{r, p.doc})
		return
	}
	if way, ok := p.load(action, r); ok {
		p.remember(entry{way, p.doc})
	}
}

// remember adds a step to the history. A page in place of itself is no step.
func (p *Page) remember(e entry) {
	if len(p.history) > 0 {
		p.history = p.history[:p.at+1]
		if p.history[p.at].to.String() == e.to.String() {
			p.history = p.history[:p.at]
		}
	}
	p.history = append(p.history, e)
	p.at = len(p.history) - 1
}

func withoutFragment(u *url.URL) string {
	bare := *u
	bare.Fragment = ""
	return bare.String()
}

// load opens a page and returns the way that led there in the end, and false if the answer is a file.
func (p *Page) load(action string, r request) (way request, ok bool) {
	p.t.Helper()
	p.stopped = ""
	site := siteOf(r.from, r.to)
	for range maxRedirects {
		answer, body, err := p.ask(r, site)
		if err != nil {
			p.fail(action, err)
		}
		place := answer.Header.Get("Location")
		if place == "" || answer.StatusCode < 300 || answer.StatusCode > 399 {
			return r, p.take(r.to, answer, body)
		}
		next, err := r.to.Parse(place)
		if err != nil {
			p.fail(action, err)
		}
		if next.Fragment == "" {
			next.Fragment = r.to.Fragment
		}
		if worse := siteOf(r.to, next); site != "none" && worse != "same-origin" {
			site = worse
		}
		if r.to = next; answer.StatusCode == http.StatusSeeOther || answer.StatusCode < 303 && r.method == http.MethodPost {
			r.method, r.kind, r.body = http.MethodGet, "", nil
		}
	}
	p.fail(action, errors.New("too many redirects"))
	return r, false
}

// take opens the page that an answer is. Files do not replace the page that asked for them.
func (p *Page) take(address *url.URL, answer *http.Response, body []byte) bool {
	if answer.StatusCode == http.StatusInternalServerError {
		p.complain("network: the server answers %d (%s)", answer.StatusCode, address)
	}
	disposition, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Disposition"))
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind == "text/plain" {
		kind, body = "text/html", []byte("<pre>"+html.EscapeString(string(body)))
	}
	if disposition == "attachment" || answer.StatusCode == http.StatusNoContent || kind != "text/html" {
		return false
	}
	// A reader of bytes does not fail.
	root, _ := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(false))
	p.doc = &document{address: address, referrer: answer.Header.Get("Referrer-Policy"), root: root, fields: map[*html.Node]*field{}, open: map[*html.Node]bool{}}
	for _, n := range p.doc.elements() {
		if has(n, "autofocus") && p.sees(n) {
			p.doc.focusOn(n)
			break
		}
	}
	p.loadParts()
	return true
}

// ask makes one request for a page, with what a browser tells about it.
func (p *Page) ask(r request, site string) (*http.Response, []byte, error) {
	headers := http.Header{
		"Accept": {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, "Upgrade-Insecure-Requests": {"1"},
		"Sec-Fetch-Dest": {"document"}, "Sec-Fetch-Mode": {"navigate"}, "Sec-Fetch-User": {"?1"},
	}
	if r.kind != "" {
		headers.Set("Content-Type", r.kind)
	}
	if r.method == http.MethodPost {
		headers.Set("Origin", originFor(r))
	}
	if referer := refererFor(r); referer != "" {
		headers.Set("Referer", referer)
	}
	return p.fetch(r.method, r.to, r.body, site, headers)
}

// fetch makes a request, with the cookies that it may have, and keeps those that the answer sets.
func (p *Page) fetch(method string, to *url.URL, body []byte, site string, headers http.Header) (*http.Response, []byte, error) {
	p.urls = append(p.urls, withoutFragment(to))
	request, err := http.NewRequestWithContext(p.t.Context(), method, withoutFragment(to), bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(request.Header, headers)
	request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) plain")
	request.Header.Set("Accept-Language", "nb")
	request.Header.Set("Sec-Fetch-Site", site)
	for _, c := range p.jar.cookies(to, site != "cross-site", method == http.MethodGet && headers.Get("Sec-Fetch-Mode") == "navigate") {
		request.AddCookie(c)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	p.jar.SetCookies(to, answer.Cookies())
	content, err := io.ReadAll(answer.Body)
	return answer, content, err
}

// siteOf tells how near two addresses are, in the words of Sec-Fetch-Site.
func siteOf(from, to *url.URL) string {
	switch {
	case from == nil:
		return "none"
	case origin(from) == origin(to):
		return "same-origin"
	case from.Scheme == to.Scheme && from.Hostname() == to.Hostname():
		return "same-site"
	default:
		return "cross-site"
	}
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

func originFor(r request) string {
	if r.from == nil || r.referrer == "no-referrer" || r.referrer == "same-origin" && origin(r.from) != origin(r.to) {
		return "null"
	}
	return origin(r.from)
}

// refererFor is what a page tells of itself; without a policy it tells its own site the whole address and others the origin.
func refererFor(r request) string {
	switch {
	case r.from == nil || r.referrer == "no-referrer":
		return ""
	case origin(r.from) == origin(r.to):
		return withoutFragment(r.from)
	case r.referrer == "same-origin":
		return ""
	default:
		return origin(r.from) + "/"
	}
}

// lasting are the addresses without hosts of files that never change, which were there for some page of this process.
var lasting sync.Map

// loadParts asks for the files of the page once, and complains of those that are not there.
func (p *Page) loadParts() {
	for _, n := range p.doc.elements("link", "script", "img", "iframe") {
		switch {
		case n.Data == "iframe":
			p.complain("a frame is not shown here (%s)", attr(n, "src"))
		case n.Data == "link" && strings.Contains(" "+attr(n, "rel")+" ", " stylesheet "):
			p.loadPart(attr(n, "href"), "style", "text/css")
		case n.Data == "link" && strings.Contains(attr(n, "rel"), "icon"):
			p.loadPart(attr(n, "href"), "image", "image/")
		case n.Data == "script" && has(n, "src"):
			p.loadPart(attr(n, "src"), "script", "text/javascript")
		case n.Data == "img" && attr(n, "loading") != "lazy": // a lazy one waits until it comes into the window
			p.loadPart(attr(n, "src"), "image", "image/")
		}
	}
}

func (p *Page) loadPart(address, dest, kind string) {
	to, err := p.doc.address.Parse(address)
	switch {
	case err != nil:
		p.complain("network: %v", err)
		return
	case strings.HasPrefix(address, "data:"):
		return
	case origin(to) != origin(p.doc.address):
		p.complain("another site is asked for a %s (%s)", dest, to)
		return
	}
	_, there := lasting.Load(to.RequestURI())
	if there || p.fetched[to.String()] {
		p.urls = append(p.urls, to.String())
		return
	}
	p.fetched[to.String()] = true
	headers := http.Header{"Sec-Fetch-Dest": {dest}, "Sec-Fetch-Mode": {"no-cors"}}
	if referer := refererFor(request{to: to, from: p.doc.address, referrer: p.doc.referrer}); referer != "" {
		headers.Set("Referer", referer)
	}
	answer, _, err := p.fetch(http.MethodGet, to, nil, "same-origin", headers)
	switch {
	case err != nil:
		p.complain("network: %v", err)
	case answer.StatusCode != http.StatusOK:
		p.complain("network: the server answers %d (%s)", answer.StatusCode, to)
	case !strings.HasPrefix(answer.Header.Get("Content-Type"), kind):
		p.complain("network: %s is no %s", to, dest)
	case strings.Contains(answer.Header.Get("Cache-Control"), "immutable"):
		lasting.Store(to.RequestURI(), true)
	}
}

// follow goes where a link leads.
func (p *Page) follow(action string, a *html.Node) {
	p.t.Helper()
	to, err := p.resolve(attr(a, "href"))
	switch {
	case err != nil:
		p.fail(action, err)
	case to.Scheme != "http" && to.Scheme != "https": // mail and the like open nothing here
		return
	case attr(a, "target") != "" && attr(a, "target") != "_self":
		p.fail(action, fmt.Errorf("it opens another window (%s)", to))
	}
	r := request{method: http.MethodGet, to: to, from: p.doc.address, referrer: p.doc.referrer}
	if !has(a, "download") {
		p.visit(action, r)
		return
	}
	if answer, _, err := p.ask(r, siteOf(r.from, r.to)); err != nil {
		p.fail(action, err)
	} else if answer.StatusCode != http.StatusOK {
		p.complain("network: the file is answered with %d (%s)", answer.StatusCode, to)
	}
}
