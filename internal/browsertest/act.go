package browsertest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Click clicks the first matching element as soon as a mouse could, and waits for the page it leads to.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.click("click on "+selector, first(selector))
}

// Hover rests the mouse on the first matching element.
func (p *Page) Hover(selector string) {
	p.t.Helper()
	p.until("rest the mouse on "+selector, func(ctx context.Context) error {
		_, _, err := p.aim(ctx, first(selector))
		return err
	})
}

// Roles are selectors of the elements of a role.
var Roles = map[string]string{
	"button":   `button, [role=button], input[type=submit], input[type=button], input[type=reset]`,
	"link":     `a[href], [role=link]`,
	"tab":      `[role=tab]`,
	"menuitem": `[role=menuitem]`,
	"option":   `[role=option]`,
}

// ClickText clicks the visible element, which screen readers know too, of a role (button, link, tab …) or selector whose name is the text, else the
// first whose name contains it.
func (p *Page) ClickText(role, text string) {
	p.t.Helper()
	selector := role
	if s, ok := Roles[role]; ok {
		selector = s
	}
	p.click(fmt.Sprintf("click on %s %q", role, text), call(`(selector, text) => {
		const plain = (s) => s.replace(/\s+/g, " ").trim();
		const name = (e) => plain(e.innerText || e.value || e.getAttribute("aria-label") || e.title || "");
		const shown = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0 && !e.closest("[aria-hidden=true]"));
		text = plain(text);
		return shown.find((e) => name(e) === text) ?? shown.find((e) => name(e).includes(text)) ?? null;
	}`, selector, text))
}

// click waits until the element can be clicked and does not move, clicks, and waits for the result. If the click
// misses because a line appeared above the element at that moment, it clicks again, as a person would.
func (p *Page) click(action, expression string) {
	p.t.Helper()
	p.until(action, func(ctx context.Context) error {
		e, at, err := p.aim(ctx, expression)
		if err != nil {
			return err
		}
		if p.o.JavaScriptOff { // no listener can tell, and nothing moves
			return chromedp.Do(ctx, chromedp.MouseClickXY(at.X, at.Y))
		}
		if err := e.watch(ctx, expression); err != nil {
			return err
		}
		// A click whose page is gone before the browser has answered ends with an error, and has still been made.
		clicked := chromedp.Do(ctx, chromedp.MouseClickXY(at.X, at.Y))
		return p.missed(ctx, clicked)
	})
	p.settle(action)
}

var (
	errMoved  = errors.New("it moves")
	errMissed = errors.New("it moved away under the click")
)

// aim moves the mouse over an element and returns the element and the point, if it is still there afterwards.
func (p *Page) aim(ctx context.Context, expression string) (element, point, error) {
	e, err := find(ctx, expression)
	if err != nil {
		return e, point{}, err
	}
	at, err := e.target(ctx)
	if err != nil {
		return e, at, err
	}
	if err := chromedp.Do(ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y)); err != nil {
		return e, at, err
	}
	again, err := e.target(ctx)
	if err == nil && again != at {
		err = errMoved
	}
	return e, at, err
}

// watch makes the page note whether the next click hits the element, or its replacement.
func (e element) watch(ctx context.Context, expression string) error {
	_, err := on[bool](ctx, e, `function () {
		document.removeEventListener("click", window.browsertestSeen, true);
		window.browsertestMissed = true;
		window.browsertestSeen = (event) => {
			if (this.contains(event.target) || `+expression+`?.contains(event.target)) window.browsertestMissed = false;
		};
		document.addEventListener("click", window.browsertestSeen, true);
		return true;
	}`)
	return err
}

// missed tells whether the click hit nothing or another element, and what the browser said of it. If the page is gone, the click left it.
func (p *Page) missed(ctx context.Context, clicked error) error {
	missed, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`window.browsertestMissed === true`))
	if err == nil && missed {
		return errors.Join(errMissed, clicked)
	}
	return nil
}

// keys that tests press, by their web names.
var keys = map[string]string{
	"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Space": " ", "Backspace": kb.Backspace,
	"ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
	"Home": kb.Home, "End": kb.End, "j": "j", "k": "k", "x": "x", "/": "/", "?": "?",
}

// Press presses a key on the focused element: Tab, Enter, Escape, Space, ArrowDown …, if needed with Shift+ in front.
func (p *Page) Press(key string) {
	p.t.Helper()
	p.once("press "+key, func(ctx context.Context) error {
		name, shift := strings.CutPrefix(key, "Shift+")
		code, ok := keys[name]
		if !ok {
			return errors.New("no such key")
		}
		var options []chromedp.KeyOption
		if shift {
			options = append(options, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
		return chromedp.Do(ctx, chromedp.KeyEvent(code, options...))
	})
	p.settle("press " + key)
}
