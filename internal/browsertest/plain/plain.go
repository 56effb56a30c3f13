// Package plain is a browser without scripts and without a screen, for tests of what pages do by themselves: it follows links
// and redirects, keeps cookies, fills in and sends forms with the constraints that browsers put on them, and uses nothing that
// a person could not see or press. It has the methods of browsertest.Page at a small part of the price. It knows nothing of
// style sheets but what Options tell, nor of a page's content security policy, and shows no frames.
package plain

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"utsending/internal/browsertest"
)

// Options are selectors of elements whose visibility a site's style sheets set when scripts are off.
type Options struct {
	Hidden string // hidden elements
	Shown  string // popovers that show unopened
}

// Page is a window with one user. Its methods fail the test; call them from the test's goroutine.
type Page struct {
	t             testing.TB
	jar           *Jar
	client        http.Client
	hidden, shown cascadia.SelectorGroup

	doc     *document // nil: none was opened
	history []entry
	at      int // index in the history
	stopped string

	urls, errors []string
	fetched      map[string]bool
	kept         bool // a failure has its document
}

// document is an open page, with the user's changes.
type document struct {
	address  *url.URL
	referrer string // the page's referrer policy
	root     *html.Node
	fields   map[*html.Node]*field
	open     map[*html.Node]bool // popovers
	focus    *html.Node
}

// New opens a window with its own cookies.
func New(t testing.TB, o Options) *Page {
	t.Helper()
	p := &Page{t: t, jar: NewJar(), fetched: map[string]bool{}}
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for selector, to := range map[string]*cascadia.SelectorGroup{o.Hidden: &p.hidden, o.Shown: &p.shown} {
		if selector != "" {
			*to = p.selector("options", selector)
		}
	}
	t.Cleanup(func() {
		if t.Failed() && !p.kept {
			t.Logf("page: %s, document: %s", p.where(), p.keep())
		}
	})
	return p
}

// SetCookie sets a cookie as the server at an address would.
func (p *Page) SetCookie(address string, c *http.Cookie) {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.fail("set the cookie "+c.Name, err)
	}
	p.jar.SetCookies(u, []*http.Cookie{c})
}

// URLs lists the addresses that the page has requested, and of its pictures, style sheets and scripts, in order.
func (p *Page) URLs() []string { return slices.Clone(p.urls) }

// ConsoleErrors lists what a browser would complain about: missing resources, and server errors.
func (p *Page) ConsoleErrors() []string { return slices.Clone(p.errors) }

func (p *Page) complain(format string, args ...any) {
	p.errors = append(p.errors, fmt.Sprintf(format, args...))
}

// fail fails the test with the action, the error, the address, and the page's complaints.
func (p *Page) fail(action string, err error) {
	p.t.Helper()
	message := fmt.Sprintf("%s: %v\n\tpage: %s\n\tdocument: %s", action, err, p.where(), p.keep())
	if p.stopped != "" {
		message += "\n\tthe form was not sent: " + p.stopped
	}
	for _, complaint := range p.errors {
		message += "\n\tbrowser: " + complaint
	}
	p.t.Fatal(message)
}

func (p *Page) where() string {
	if p.doc == nil {
		return "none"
	}
	return p.doc.address.RequestURI() + " (" + p.doc.title() + ")"
}

// keep saves the document and returns its path, or why it is not saved.
func (p *Page) keep() string {
	p.kept = true
	if p.doc == nil {
		return "none"
	}
	path, err := browsertest.PathOfFailure(p.t, ".html")
	if err == nil {
		err = os.WriteFile(path, []byte(p.doc.html()), 0o644)
	}
	if err != nil {
		return "none: " + err.Error()
	}
	return path
}

var (
	errMissing = errors.New("no such element")
	errNoPage  = errors.New("no page is open")
)

// selector parses a selector. It refuses states that this browser does not know.
func (p *Page) selector(action, text string) cascadia.SelectorGroup {
	p.t.Helper()
	for _, state := range []string{":checked", ":focus", ":popover-open", ":target", ":hover"} {
		if strings.Contains(text, state) {
			p.fail(action, fmt.Errorf("%s in %s is not known here", state, text))
		}
	}
	s, err := cascadia.ParseGroup(text)
	if err != nil {
		p.fail(action, fmt.Errorf("%s is not a valid selector: %w", text, err))
	}
	return s
}

// all returns the matching elements, in document order.
func (p *Page) all(action, selector string) []*html.Node {
	p.t.Helper()
	s := p.selector(action, selector)
	if p.doc == nil {
		p.fail(action, errNoPage)
	}
	return cascadia.QueryAll(p.doc.root, s)
}

// first returns the first matching element, which must exist.
func (p *Page) first(action, selector string) *html.Node {
	p.t.Helper()
	found := p.all(action, selector)
	if len(found) == 0 {
		p.fail(action, errMissing)
	}
	return found[0]
}

func attr(n *html.Node, name string) string {
	value, _ := attribute(n, name)
	return value
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

func has(n *html.Node, name string) bool {
	_, ok := attribute(n, name)
	return ok
}

func isTag(n *html.Node, tags ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(tags, n.Data)
}

// above returns the nearest of the node and its ancestors with one of the tags.
func above(n *html.Node, tags ...string) *html.Node {
	for n != nil && !isTag(n, tags...) {
		n = n.Parent
	}
	return n
}

// elements returns a document's elements in order.
func (d *document) elements(tags ...string) (found []*html.Node) {
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && (len(tags) == 0 || slices.Contains(tags, n.Data)) {
			found = append(found, n)
		}
	}
	return found
}

// byID returns the element with an id, or nil.
func (d *document) byID(id string) *html.Node {
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && id != "" && attr(n, "id") == id {
			return n
		}
	}
	return nil
}

func kind(n *html.Node) string {
	switch {
	case isTag(n, "input"):
		return cmp.Or(strings.ToLower(attr(n, "type")), "text")
	case isTag(n, "button"):
		if k := strings.ToLower(attr(n, "type")); k == "button" || k == "reset" {
			return k
		}
		return "submit"
	}
	return ""
}
