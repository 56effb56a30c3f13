package browsertest

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var errMissing = errors.New("no such element")

// element is a handle of an element in the browser, valid as long as its document.
type element struct {
	id runtime.RemoteObjectID
}

// find evaluates an expression that returns an element or null.
func find(ctx context.Context, expression string) (element, error) {
	got, err := chromedp.Run(ctx, chromedp.Evaluate[*runtime.RemoteObject](expression))
	if err != nil {
		return element{}, err
	}
	if got.ObjectID == "" {
		return element{}, errMissing
	}
	return element{id: got.ObjectID}, nil
}

func first(selector string) string {
	return call("(s) => document.querySelector(s)", selector)
}

// on calls a function with the element as "this".
func on[T any](ctx context.Context, e element, function string, args ...any) (T, error) {
	return chromedp.Run(ctx, chromedp.CallFunctionOn[T](function,
		func(p *runtime.CallFunctionOnParams) { p.ObjectID = e.id }, args...))
}

// ask waits for the first matching element and returns the function's result for it.
func ask[T any](p *Page, action, selector, function string) T {
	p.t.Helper()
	var got T
	p.until(action, func(ctx context.Context) error {
		e, err := find(ctx, first(selector))
		if err != nil {
			return err
		}
		got, err = on[T](ctx, e, "function () { return ("+function+")(this); }")
		return err
	})
	return got
}

// point is where to click an element, or why it cannot be clicked.
type point struct {
	X, Y    float64
	Problem string
}

// target scrolls the element into view and finds an uncovered point of it. Its label may cover it: a click there has
// the same effect.
func (e element) target(ctx context.Context) (point, error) {
	got, err := on[point](ctx, e, `function () {
		if (!this.isConnected) return { problem: "it has left the page" };
		if (this.matches(":disabled, [aria-disabled=true]")) return { problem: "it is disabled" };
		const outside = (r) => r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth;
		if (outside(this.getBoundingClientRect())) {
			this.scrollIntoView({ behavior: "instant", block: "center", inline: "nearest" });
		}
		const box = [...this.getClientRects()].find((r) => r.width > 0 && r.height > 0);
		if (!box || getComputedStyle(this).visibility !== "visible") return { problem: "it is not visible" };
		const x = box.left + box.width / 2, y = box.top + box.height / 2;
		const hit = document.elementFromPoint(x, y);
		if (!hit) return { problem: "it is outside the window" };
		if (this.contains(hit) || hit.closest("label")?.control === this) return { x, y };
		return { problem: "it is covered by " + hit.cloneNode(false).outerHTML.slice(0, 120) };
	}`)
	if err == nil && got.Problem != "" {
		err = errors.New(got.Problem)
	}
	return got, err
}
