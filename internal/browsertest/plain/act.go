package plain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"utsending/internal/browsertest"
)

// Click clicks the first matching element, and follows it.
func (p *Page) Click(selector string) {
	p.t.Helper()
	action := "click on " + selector
	p.click(action, p.first(action, selector))
}

// ClickText clicks the visible element of a role (button, link, tab …) or selector whose name is the text, else the
// first whose name contains it.
func (p *Page) ClickText(role, text string) {
	p.t.Helper()
	action := fmt.Sprintf("click on %s %q", role, text)
	selector := role
	if s, ok := browsertest.Roles[role]; ok {
		selector = s
	}
	var close *html.Node
	text = plainly(text)
	for _, n := range p.all(action, selector) {
		if !p.sees(n) {
			continue
		}
		name := p.name(n)
		if name == text {
			p.click(action, n)
			return
		}
		if close == nil && strings.Contains(name, text) {
			close = n
		}
	}
	if close == nil {
		p.fail(action, errMissing)
	}
	p.click(action, close)
}

// name is an element's name for a person.
func (p *Page) name(n *html.Node) string {
	names := []string{p.read(n), attr(n, "value"), attr(n, "aria-label"), attr(n, "title")}
	if i := slices.IndexFunc(names, func(s string) bool { return plainly(s) != "" }); i >= 0 {
		return plainly(names[i])
	}
	return ""
}

// click clicks an element, or the control that contains it: a word of a link is the link.
func (p *Page) click(action string, n *html.Node) {
	p.t.Helper()
	if !p.sees(n) {
		p.fail(action, errors.New("it is not visible"))
	}
	for ; n != nil; n = n.Parent {
		switch {
		case isTag(n, "button", "input", "select", "textarea") && (isDisabled(n) || attr(n, "aria-disabled") == "true"):
			p.fail(action, errors.New("it is disabled"))
		case isTag(n, "a") && has(n, "href"):
			p.doc.focusOn(n)
			p.follow(action, n)
			return
		case isTag(n, "button", "input", "select", "textarea"):
			p.doc.focusOn(n)
			p.press(action, n)
			return
		case isTag(n, "summary") && summaryOf(n.Parent) == n:
			p.doc.focusOn(n)
			unfold(n.Parent)
			return
		case isTag(n, "label"):
			if control := p.doc.labelled(n); control != nil {
				p.click(action, control)
			}
			return
		}
	}
	p.fail(action, errors.New("it does nothing without scripts"))
}

// unfold toggles a details element.
func unfold(details *html.Node) {
	if !has(details, "open") {
		details.Attr = append(details.Attr, html.Attribute{Key: "open"})
		return
	}
	details.Attr = slices.DeleteFunc(details.Attr, func(a html.Attribute) bool { return a.Key == "open" })
}

// labelled is the control of a label.
func (d *document) labelled(label *html.Node) *html.Node {
	if has(label, "for") {
		return d.byID(attr(label, "for"))
	}
	for n := range label.Descendants() {
		if isTag(n, "input", "select", "textarea", "button") && kind(n) != "hidden" {
			return n
		}
	}
	return nil
}

// press performs a control's action.
func (p *Page) press(action string, n *html.Node) {
	p.t.Helper()
	form := p.doc.formOf(n)
	switch k := kind(n); {
	case k == "checkbox":
		p.doc.field(n).check(!p.doc.isChecked(n))
	case k == "radio":
		p.doc.pick(n)
	case has(n, "popovertarget"):
		p.pressPopover(action, n)
	case k == "submit" && form != nil:
		p.send(action, form, n)
	case k == "reset" && form != nil:
		for f := range p.doc.fields {
			if p.doc.formOf(f) == form {
				delete(p.doc.fields, f)
			}
		}
	case k == "submit", k == "button", k == "reset", k == "image":
		p.fail(action, errors.New("it does nothing without scripts"))
	}
}

func (p *Page) pressPopover(action string, button *html.Node) {
	p.t.Helper()
	menu := p.doc.byID(attr(button, "popovertarget"))
	if menu == nil || !has(menu, "popover") {
		p.fail(action, errors.New("it opens nothing"))
	}
	show := !p.doc.open[menu]
	switch attr(button, "popovertargetaction") {
	case "show":
		show = true
	case "hide":
		show = false
	}
	clear(p.doc.open) // one closes the others
	p.doc.open[menu] = show
}

// Submit submits the form that is or contains the first matching element, with its default button, as Enter does.
func (p *Page) Submit(selector string) {
	p.t.Helper()
	action := "submit " + selector
	n := p.first(action, selector)
	form := p.doc.formOf(n)
	if form == nil {
		form = above(n, "form")
	}
	for _, b := range p.doc.elements("button", "input") {
		if kind(b) == "submit" && form != nil && p.doc.formOf(b) == form {
			p.click(action, b)
			return
		}
	}
	p.fail(action, errors.New("there is no form with a button"))
}
