package firefox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Go opens an address and waits until it is loaded. Within a site, a path suffices.
func (p *Page) Go(address string) {
	p.t.Helper()
	if here, err := url.Parse(p.URL()); err == nil {
		if to, err := here.Parse(address); err == nil {
			address = to.String()
		}
	}
	if err := p.wire.call("browsingContext.navigate", map[string]any{"context": p.context, "url": address, "wait": "complete"}, nil); err != nil {
		p.fail("go to "+address, err)
	}
	p.settle("go to " + address)
}

// Back goes back in the history. A page that Firefox has kept is shown without being loaded, which no event tells.
func (p *Page) Back() {
	p.t.Helper()
	before := p.URL()
	if err := p.wire.call("browsingContext.traverseHistory", map[string]any{"context": p.context, "delta": -1}, nil); err != nil {
		p.fail("go back", err)
	}
	p.until("go back", func() error {
		var there bool
		err := p.eval(`(before) => location.href !== before && document.readyState === "complete"`, &there, before)
		if err == nil && !there {
			err = fmt.Errorf("still at %s", before)
		}
		return err
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.navigating)
}

// Reload reloads the page.
func (p *Page) Reload() {
	p.t.Helper()
	if err := p.wire.call("browsingContext.reload", map[string]any{"context": p.context, "wait": "complete"}, nil); err != nil {
		p.fail("reload", err)
	}
	p.settle("reload")
}

// read evaluates a function, again while the document is replaced.
func read[T any](p *Page, function string, args ...any) (got T) {
	p.t.Helper()
	p.until("read the page", func() error { return p.eval(function, &got, args...) })
	return got
}

// Text is what a person reads in the first element that matches. It waits for the element.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return read[string](p, `(selector) => document.querySelector(selector).innerText.replace(/\s+/g, " ").trim()`, selector)
}

// WaitText waits until one of the elements that match contains the text.
func (p *Page) WaitText(selector, text string) {
	p.t.Helper()
	p.until("wait for "+text, func() error {
		var texts []string
		err := p.eval(`(selector) => [...document.querySelectorAll(selector)].map((e) => e.innerText.replace(/\s+/g, " ").trim())`, &texts, selector)
		if err == nil && !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, text) }) {
			err = fmt.Errorf("%s reads %q", selector, texts)
		}
		return err
	})
}

// Value is what stands in the first field that matches.
func (p *Page) Value(selector string) string {
	p.t.Helper()
	return read[string](p, `(selector) => document.querySelector(selector).value`, selector)
}

// Count is how many elements match now.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	return read[int](p, `(selector) => document.querySelectorAll(selector).length`, selector)
}

// Title is the title of the page.
func (p *Page) Title() string { p.t.Helper(); return read[string](p, `() => document.title`) }

// HTML is the document as it is now.
func (p *Page) HTML() string {
	p.t.Helper()
	return read[string](p, `() => document.documentElement.outerHTML`)
}

// URL is the page's address.
func (p *Page) URL() string { p.t.Helper(); return read[string](p, `() => location.href`) }

// Path is the path of the page's address.
func (p *Page) Path() string { p.t.Helper(); return read[string](p, `() => location.pathname`) }

// URLs are all addresses that the browser has asked for.
func (p *Page) URLs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.urls)
}

// ConsoleErrors are the errors that pages have written to the console.
func (p *Page) ConsoleErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.complaints)
}

// FocusedSelector is the id of the element that has the keyboard, as a selector; empty when none has.
func (p *Page) FocusedSelector() string {
	p.t.Helper()
	return read[string](p, `() => {
		const e = document.activeElement;
		return !e || e === document.body ? "" : e.id ? "#" + CSS.escape(e.id) : e.localName;
	}`)
}
