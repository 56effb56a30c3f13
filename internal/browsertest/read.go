package browsertest

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/chromedp"
)

// Text is what a person reads in the first element that matches, with any white space as single spaces. It waits for
// the element.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return ask[string](p, "read "+selector, selector, `(e) => (e.innerText ?? e.textContent).replace(/\s+/g, " ").trim()`)
}

// Value is what stands in the first field that matches.
func (p *Page) Value(selector string) string {
	p.t.Helper()
	return ask[string](p, "read the value of "+selector, selector, `(e) => String(e.value)`)
}

// WaitText waits until one of the elements that match reads as, or contains, the text.
func (p *Page) WaitText(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("wait for %q in %s", text, selector), func(ctx context.Context) error {
		texts, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](call(`(selector, text) => {
			const plain = (s) => s.replace(/\s+/g, " ").trim();
			const texts = [...document.querySelectorAll(selector)].map((e) => plain(e.innerText ?? e.textContent));
			return texts.some((t) => t.includes(plain(text))) ? null : texts;
		}`, selector, text)))
		switch {
		case err != nil || texts == nil:
			return err
		case len(texts) == 0:
			return errMissing
		default:
			return fmt.Errorf("it reads %.300q", texts)
		}
	})
}

// WaitAnnounced waits until a live region of the page announces the text. It ignores announcements that an earlier call has seen.
func (p *Page) WaitAnnounced(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("wait for the announcement of %q", text), func(ctx context.Context) error {
		announced, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](call(`(text) => {
			const all = window.announced, at = all.findIndex((t) => t.replace(/\s+/g, " ").includes(text));
			if (at < 0) return all;
			all.splice(0, at + 1);
			return null;
		}`, text)))
		if err != nil || announced == nil {
			return err
		}
		return fmt.Errorf("announced is %.300q", announced)
	})
}

// Title is the title of the page.
func (p *Page) Title() string {
	p.t.Helper()
	return read[string](p, "read the title", "document.title")
}

// HTML is the document as it is now.
func (p *Page) HTML() string {
	p.t.Helper()
	return read[string](p, "read the document", "document.documentElement.outerHTML")
}

// Count is how many elements match now. It does not wait for any.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	return read[int](p, "count "+selector, call("(s) => document.querySelectorAll(s).length", selector))
}

// FocusedSelector is a selector of the element that has the keyboard, as short as its id or name allows, and empty
// when none has.
func (p *Page) FocusedSelector() string {
	p.t.Helper()
	return read[string](p, "find the focus", `(() => {
		let e = document.activeElement, path = "";
		if (!e || e === document.body || e === document.documentElement) return "";
		for (; e !== document.documentElement; e = e.parentElement) {
			const tag = e.localName;
			if (e.id) return "#" + CSS.escape(e.id) + path;
			if (path === "" && e.name) {
				const named = tag + "[name=" + JSON.stringify(e.name) + "]";
				if (document.querySelectorAll(named).length === 1) return named;
			}
			const alike = [...e.parentElement.children].filter((c) => c.localName === tag);
			path = " > " + tag + (alike.length > 1 ? ":nth-of-type(" + (alike.indexOf(e) + 1) + ")" : "") + path;
		}
		return "html" + path;
	})()`)
}

// Overflows tells whether the page scrolls sideways, and logs what sticks out.
func (p *Page) Overflows() bool {
	p.t.Helper()
	wide := read[[]string](p, "measure the page", `(() => {
		const width = document.documentElement.clientWidth;
		if (document.scrollingElement.scrollWidth <= width) return [];
		return [...document.body.querySelectorAll("*")]
			.filter((e) => e.getBoundingClientRect().right + scrollX > width + 0.5)
			.slice(0, 5)
			.map((e) => e.cloneNode(false).outerHTML.slice(0, 120))
			.concat("wider than " + width);
	})()`)
	if len(wide) > 0 {
		p.t.Logf("sticks out: %q", wide)
	}
	return len(wide) > 0
}

// Screenshot saves a picture of the whole page as PNG.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	p.once("take a picture", func(ctx context.Context) error {
		return p.picture(ctx, path)
	})
}

func (p *Page) picture(ctx context.Context, path string) error {
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return err
	}
	return os.WriteFile(path, png, 0o644)
}
