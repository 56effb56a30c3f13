package plain

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"utsending/internal/await"
)

// unseen are elements that no browser renders. The content of noscript shows without scripts.
var unseen = []string{"head", "title", "script", "style", "template", "datalist", "link", "meta", "area", "param", "rp"}

// inline are inline elements; all others begin a new line.
var inline = []string{
	"a", "abbr", "b", "bdi", "bdo", "button", "cite", "code", "data", "del", "dfn", "em", "i", "img", "ins", "kbd", "label", "mark", "noscript", "output",
	"q", "s", "samp", "small", "span", "strong", "sub", "sup", "svg", "time", "u", "var", "wbr",
}

// hides tells whether an element and its content are invisible.
func (p *Page) hides(n *html.Node) bool {
	return p.conceals(n) || isFolded(n)
}

// conceals tells whether an element would be invisible even with all details open.
func (p *Page) conceals(n *html.Node) bool {
	if isTag(n, unseen...) || has(n, "hidden") || kind(n) == "hidden" || isTag(n, "dialog") && !has(n, "open") {
		return true
	}
	if has(n, "popover") && !p.doc.open[n] && !p.shown.Match(n) {
		return true
	}
	return p.hidden.Match(n)
}

// isFolded tells whether an element is in a closed details, other than its summary.
func isFolded(n *html.Node) bool {
	return isTag(n.Parent, "details") && !has(n.Parent, "open") && n != summaryOf(n.Parent)
}

func summaryOf(details *html.Node) *html.Node {
	for child := range details.ChildNodes() {
		if isTag(child, "summary") {
			return child
		}
	}
	return nil
}

// sees tells whether a person can see an element.
func (p *Page) sees(n *html.Node) bool { return !within(n, p.hides) }

// seesUnfolded tells whether a person could see an element with all details open.
func (p *Page) seesUnfolded(n *html.Node) bool { return !within(n, p.conceals) }

// within tells whether something holds of an element or an ancestor.
func within(n *html.Node, holds func(*html.Node) bool) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && holds(n) {
			return true
		}
	}
	return false
}

// read is what a person reads in an element, with any white space as single spaces. As browsers say it, that is nothing if it
// is folded, and all that stands in it if it does not show for another reason.
func (p *Page) read(n *html.Node) string {
	var text strings.Builder
	if !p.sees(n) && p.seesUnfolded(n) {
		return ""
	}
	p.write(&text, n, p.sees(n))
	return plainly(text.String())
}

func (p *Page) write(to *strings.Builder, n *html.Node, seenOnly bool) {
	if n.Type == html.TextNode {
		to.WriteString(n.Data)
		return
	}
	if seenOnly && (isTag(n, "textarea", "br") || n.Type == html.ElementNode && p.hides(n)) {
		to.WriteByte(' ')
		return
	}
	block := seenOnly && !isTag(n, inline...)
	if block {
		to.WriteByte(' ')
	}
	for child := range n.ChildNodes() {
		if seenOnly && child.Type == html.TextNode && isFolded(child) {
			continue
		}
		p.write(to, child, seenOnly)
	}
	if block {
		to.WriteByte(' ')
	}
}

func plainly(text string) string { return strings.Join(strings.Fields(text), " ") }

// Text is what a person reads in the first element that matches, with any white space as single spaces.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return p.read(p.first("read "+selector, selector))
}

// WaitText checks that one of the elements that match reads as, or contains, the text. Nothing comes by waiting: where the page has a
// link to refresh it, that is followed until the text is there.
func (p *Page) WaitText(selector, text string) {
	p.t.Helper()
	action := fmt.Sprintf("find %q in %s", text, selector)
	var texts []string
	await.Seen(p.t, action, func() bool {
		texts = nil
		for _, n := range p.all(action, selector) {
			texts = append(texts, p.read(n))
		}
		found := slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, plainly(text)) })
		refresh := p.all(action, "a.no-js")
		switch {
		case found:
		case len(refresh) > 0:
			p.follow(action, refresh[0])
		case len(texts) == 0:
			p.fail(action, errMissing)
		default:
			p.fail(action, fmt.Errorf("it reads %.300q", texts))
		}
		return found
	}, func() string { return fmt.Sprintf("it reads %.300q", texts) })
}

// Count is how many elements match.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	return len(p.all("count "+selector, selector))
}

// Title is the title of the page.
func (p *Page) Title() string {
	p.t.Helper()
	if p.doc == nil {
		p.fail("read the title", errNoPage)
	}
	return p.doc.title()
}

func (d *document) title() string {
	for _, n := range d.elements("title") {
		if n.FirstChild != nil {
			return plainly(n.FirstChild.Data)
		}
	}
	return ""
}

// HTML is the document as it is now.
func (p *Page) HTML() string {
	p.t.Helper()
	if p.doc == nil {
		p.fail("read the document", errNoPage)
	}
	return p.doc.html()
}

func (d *document) html() string {
	var text strings.Builder
	for _, n := range d.elements("html") {
		_ = html.Render(&text, n) // a builder takes everything
		break
	}
	return text.String()
}

// URL is the address of the page.
func (p *Page) URL() string {
	p.t.Helper()
	if p.doc == nil {
		p.fail("read the address", errNoPage)
	}
	return p.doc.address.String()
}

// Path is the path of the page's address, without the query.
func (p *Page) Path() string {
	p.t.Helper()
	p.URL()
	return p.doc.address.EscapedPath()
}

// FocusedSelector is a selector of the element that has the keyboard, empty when none has.
func (p *Page) FocusedSelector() string {
	p.t.Helper()
	switch n := p.doc.focus; {
	case n == nil:
		return ""
	case attr(n, "id") != "":
		return "#" + attr(n, "id")
	case attr(n, "name") != "":
		return fmt.Sprintf("%s[name=%q]", n.Data, attr(n, "name"))
	default:
		return n.Data
	}
}

// focusOn gives an element the keyboard, if it takes it.
func (d *document) focusOn(n *html.Node) {
	d.focus = nil
	if n != nil && (has(n, "tabindex") || isTag(n, "a") && has(n, "href") || isTag(n, "button", "input", "select", "textarea", "summary") && !isDisabled(n)) {
		d.focus = n
	}
}
