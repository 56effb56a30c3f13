package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"utsending/internal/await"
)

// Page is a tab of a browser with one user. Its methods fail the test; call them from the test's goroutine.
type Page struct {
	t      testing.TB
	ctx    context.Context
	o      PageOptions
	root   string
	events *events

	pictured bool // a failure has its picture
}

// Go opens an address and waits until it is loaded. Within a site, a path suffices.
func (p *Page) Go(address string) {
	p.t.Helper()
	p.once("go to "+address, func(ctx context.Context) error {
		target, err := p.resolve(ctx, address)
		if err != nil {
			return err
		}
		got, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: target})
		if err != nil {
			return err
		}
		if got.ErrorText != "" && !got.IsDownload {
			return errors.New(got.ErrorText)
		}
		return p.events.idle(ctx)
	})
}

// Show puts another page of the site into the window without loading it anew: style sheets, fonts and axe stay as they are,
// the page's script runs again. It takes a fifth of Go's time, for those that look at hundreds of pages. A page with style
// sheets or scripts of its own is loaded.
func (p *Page) Show(address string) {
	p.t.Helper()
	var shown bool
	p.once("show "+address, func(ctx context.Context) (err error) {
		shown, err = chromedp.Run(ctx, chromedp.Evaluate[bool](call(showPage, address), chromedp.EvalAwaitPromise))
		return err
	})
	if !shown {
		p.Go(address)
	}
}

// showPage is a JavaScript function that shows the page at an address, if it can, and tells whether.
const showPage = `async (address) => {
	const answer = await fetch(address);
	if (!answer.ok) throw new Error(address + ": " + answer.status);
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const loads = (doc) => [...doc.head.querySelectorAll("link, script")].map((e) => e.getAttribute("href") ?? e.getAttribute("src")).join(" ");
	if (loads(page) !== loads(document)) return false;
	page.querySelectorAll("noscript").forEach((e) => e.replaceChildren());
	const root = document.documentElement;
	for (const name of root.getAttributeNames()) root.removeAttribute(name);
	for (const a of page.documentElement.attributes) root.setAttribute(a.name, a.value);
	history.replaceState(null, "", address);
	document.title = page.title;
	document.body.replaceWith(document.adoptNode(page.body));
	scrollTo(0, 0);
	window.showings = (window.showings ?? 0) + 1; // a module runs once per address
	for (const script of document.head.querySelectorAll("script[type=module]")) await import(script.src + "?showing=" + window.showings);
	return true;
}`

func (p *Page) resolve(ctx context.Context, address string) (string, error) {
	ref, err := url.Parse(address)
	if err != nil || ref.IsAbs() {
		return address, err
	}
	here, err := p.location(ctx)
	if err != nil {
		return "", err
	}
	return here.ResolveReference(ref).String(), nil
}

// Back goes back in the history.
func (p *Page) Back() {
	p.t.Helper()
	var want, entry int64
	p.until("go back", func(ctx context.Context) error {
		history, err := chromedp.Call(ctx, page.GetNavigationHistory, cdp.Empty{}) // fails while a page takes another's place
		if err != nil {
			return err
		}
		if want = history.CurrentIndex - 1; want >= 0 {
			entry = history.Entries[want].ID
		}
		return nil
	})
	p.once("go back", func(ctx context.Context) error {
		if want < 0 {
			return errors.New("this is the first page")
		}
		_, err := chromedp.Call(ctx, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry})
		return err
	})
	p.until("go back", func(ctx context.Context) error {
		history, err := chromedp.Call(ctx, page.GetNavigationHistory, cdp.Empty{})
		if err == nil && history.CurrentIndex != want {
			err = errors.New("the page before does not appear")
		}
		return err
	})
	p.settle("go back")
}

// Reload reloads the page, resubmitting a form if the page is the answer to one.
func (p *Page) Reload() {
	p.t.Helper()
	before := p.events.committed()
	p.once("reload", func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, page.Reload, page.ReloadParams{})
		return err
	})
	p.until("reload", func(context.Context) error {
		if p.events.committed() == before {
			return errors.New("the page does not appear again")
		}
		return nil
	})
	p.settle("reload")
}

// URL is the page's address.
func (p *Page) URL() string {
	p.t.Helper()
	return read[string](p, "read the address", "location.href")
}

// Path is the path of the page's address, without the query.
func (p *Page) Path() string {
	p.t.Helper()
	return read[string](p, "read the path", "location.pathname")
}

func (p *Page) location(ctx context.Context) (*url.URL, error) {
	href, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		return nil, err
	}
	return url.Parse(href)
}

// once runs a step that must not be repeated, within a step's timeout. If it takes long, it tells once where it stands.
func (p *Page) once(action string, step func(ctx context.Context) error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.o.Timeout)
	defer cancel()
	start := time.Now()
	slow := time.AfterFunc(await.Told, func() { await.Tell(p.t, start, action, p.where()+": "+p.events.waitsFor()) })
	defer slow.Stop()
	if err := step(ctx); err != nil {
		p.fail(action, err)
	}
}

// longestLook bounds one attempt of a repeated step, so that a hanging page ends it. The step's timeout does not cut
// an attempt short: on a slow machine there would be no result yet.
const longestLook = time.Minute

// until retries a step until it succeeds, or fails after the timeout. Elements and whole documents come and go
// meanwhile, so only an invalid selector and a lost browser end it early.
func (p *Page) until(action string, step func(ctx context.Context) error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, p.o.Timeout+longestLook)
	defer cancel()
	start := time.Now()
	over := time.After(p.o.Timeout)
	next := start.Add(await.Told)
	var problem error
	var first string // the first problem, if the last one is another
	for {
		asked := time.Now()
		err := step(ctx)
		if err == nil {
			return
		}
		if problem == nil || ctx.Err() == nil { // else it only says that the time is over
			if problem != nil && first == "" && problem.Error() != err.Error() {
				first = " (at first: " + problem.Error() + ")"
			}
			problem = err
		}
		if isFinal(err) || p.ctx.Err() != nil {
			p.fail(action, problem)
		}
		if time.Now().After(next) {
			await.Tell(p.t, start, action, p.where()+": "+problem.Error()+first)
			next = time.Now().Add(await.Told)
		}
		select {
		case <-time.After(await.Pause(time.Since(asked))):
		case <-over:
			p.fail(action, fmt.Errorf("after %s: %w%s", p.o.Timeout, problem, first))
		}
	}
}

// isFinal distinguishes an invalid selector from a missing element.
func isFinal(err error) bool {
	_, broken := errors.AsType[*chromedp.ExceptionError](err)
	return broken && strings.Contains(err.Error(), "SyntaxError")
}

// settle waits until a step's consequences are loaded. The browser announces a navigation before it answers the click
// that causes it, and the page's handlers of links and forms have run by then. A form that waits before it is sent says that it
// is busy.
func (p *Page) settle(action string) {
	p.t.Helper()
	p.until(action, func(ctx context.Context) error {
		if held, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector('form[aria-busy="true"]') !== null`)); err == nil && held {
			return errBusy
		}
		return nil // or the document is gone
	})
	p.once(action, func(ctx context.Context) error {
		// The answer, or the error if the document is gone, comes after the announcement.
		_, _ = chromedp.Run(ctx, chromedp.Evaluate[int]("0"))
		return p.events.idle(ctx)
	})
}

var errBusy = errors.New("a form waits before it is sent")

// read evaluates an expression, again if the document is replaced meanwhile.
func read[T any](p *Page, action, expression string) T {
	p.t.Helper()
	var got T
	p.until(action, func(ctx context.Context) (err error) {
		got, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression))
		return err
	})
	return got
}

// call is a JavaScript call as an expression.
func call(function string, args ...any) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			panic(err) // strings and numbers only
		}
		texts[i] = string(text)
	}
	return fmt.Sprintf("(%s)(%s)", function, strings.Join(texts, ", "))
}
