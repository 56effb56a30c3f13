package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Fill replaces a field's value by typing, and leaves the field, so that the page gets the same events: input, then
// change. An empty value empties the field.
func (p *Page) Fill(selector, value string) {
	p.t.Helper()
	action := "fill in " + selector
	var e element
	var picker bool
	p.until(action, func(ctx context.Context) (err error) {
		if e, err = find(ctx, first(selector)); err != nil {
			return err
		}
		picker, err = e.focus(ctx)
		return err
	})
	p.once(action, func(ctx context.Context) error {
		if picker {
			return e.set(ctx, value)
		}
		return e.replace(ctx, value)
	})
	p.settle(action)
}

// focus focuses the element and selects its content. It tells whether the browser has a picker for its value, as for
// a date, instead of typing.
func (e element) focus(ctx context.Context) (picker bool, err error) {
	problem, err := on[string](ctx, e, `function () {
		if (this.disabled || this.readOnly) return "it does not take text now";
		if (!this.matches("input, textarea, [contenteditable]")) return "it is not a field";
		if (this.getClientRects().length === 0) return "it is not visible";
		return "";
	}`)
	if err == nil && problem != "" {
		err = errors.New(problem)
	}
	if err != nil {
		return false, err
	}
	if _, err := chromedp.Call(ctx, dom.Focus, dom.FocusParams{ObjectID: e.id}); err != nil {
		return false, err
	}
	return on[bool](ctx, e, `function () {
		if (this.select) this.select(); else getSelection().selectAllChildren(this);
		return ["date", "datetime-local", "month", "week", "time", "color", "range"].includes(this.type);
	}`)
}

// replace types over the selection.
func (e element) replace(ctx context.Context, value string) error {
	if value == "" {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Backspace)); err != nil {
			return err
		}
	} else if _, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: value}); err != nil {
		return err
	}
	_, err := on[chromedp.Void](ctx, e, `function () { this.blur(); }`)
	return err
}

// set sets the value as the browser's picker does.
func (e element) set(ctx context.Context, value string) error {
	got, err := on[string](ctx, e, `function (value) {
		this.value = value;
		this.dispatchEvent(new Event("input", { bubbles: true }));
		this.dispatchEvent(new Event("change", { bubbles: true }));
		this.blur();
		return this.value;
	}`, value)
	if err == nil && value != "" && got == "" {
		err = fmt.Errorf("%q is no value for it", value)
	}
	return err
}

// Select selects the option with the value or the label.
func (p *Page) Select(selector, option string) {
	p.t.Helper()
	action := fmt.Sprintf("select %q in %s", option, selector)
	p.until(action, func(ctx context.Context) error {
		e, err := find(ctx, first(selector))
		if err != nil {
			return err
		}
		problem, err := on[string](ctx, e, `function (wanted) {
			if (this.disabled) return "it is disabled";
			const options = [...(this.options ?? [])];
			const option = options.find((o) => o.value === wanted) ?? options.find((o) => o.label.trim() === wanted);
			if (!option || option.disabled) return "it offers " + options.map((o) => o.label).join(", ");
			if (option.selected && !this.multiple) return "";
			option.selected = true;
			this.dispatchEvent(new Event("input", { bubbles: true }));
			this.dispatchEvent(new Event("change", { bubbles: true }));
			return "";
		}`, option)
		if err == nil && problem != "" {
			err = errors.New(problem)
		}
		return err
	})
	p.settle(action)
}

// Check checks a checkbox or radio button, unless it is checked.
func (p *Page) Check(selector string) {
	p.t.Helper()
	p.setChecked(selector, true)
}

// Uncheck unchecks a checkbox, if it is checked.
func (p *Page) Uncheck(selector string) {
	p.t.Helper()
	p.setChecked(selector, false)
}

func (p *Page) setChecked(selector string, want bool) {
	p.t.Helper()
	if ask[bool](p, "look at "+selector, selector, "(e) => Boolean(e.checked)") == want {
		return
	}
	// A checkbox drawn by its label is hidden itself; people click the label.
	p.click("click on "+selector, call(`(selector) => {
		const e = document.querySelector(selector), box = e?.getBoundingClientRect();
		return box && box.width * box.height < 16 ? e.labels?.[0] ?? e : e;
	}`, selector))
}

// Submit submits the form that is or contains the first matching element, with its default button, as Enter does.
func (p *Page) Submit(selector string) {
	p.t.Helper()
	p.click("submit "+selector, call(`(selector) => {
		const e = document.querySelector(selector);
		const form = e?.form ?? e?.closest("form");
		return [...(form?.elements ?? [])].find((b) => b.matches("[type=submit], button:not([type])")) ?? null;
	}`, selector))
}

// Upload chooses files in a file field, which may be invisible. The paths are local.
func (p *Page) Upload(selector string, files ...string) {
	p.t.Helper()
	action := fmt.Sprintf("upload %d files to %s", len(files), selector)
	paths := make([]string, len(files))
	p.once(action, func(context.Context) (err error) {
		for i, file := range files {
			if paths[i], err = filepath.Abs(file); err != nil {
				return err
			}
			if _, err := os.Stat(paths[i]); err != nil {
				return err
			}
		}
		return nil
	})
	p.until(action, func(ctx context.Context) error {
		e, err := find(ctx, first(selector))
		if err != nil {
			return err
		}
		_, err = chromedp.Call(ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: e.id})
		return err
	})
	p.settle(action)
}
