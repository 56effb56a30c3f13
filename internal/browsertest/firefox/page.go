package firefox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
)

// Page is a tab. Its methods fail the test.
type Page struct {
	t       *testing.T
	wire    *wire
	context string

	mu         sync.Mutex
	navigating map[string]bool // navigations that have begun and not ended
	urls       []string
	complaints []string
}

// hear notes navigations, requests and complaints.
func (p *Page) hear(method string, params json.RawMessage) {
	var e struct {
		Context    string `json:"context"`
		Navigation string `json:"navigation"`
		Level      string `json:"level"`
		Text       string `json:"text"`
		Request    struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.navigating == nil {
		p.navigating = map[string]bool{}
	}
	switch method {
	case "browsingContext.navigationStarted":
		if e.Context == p.context {
			p.navigating[e.Navigation] = true
		}
	case "log.entryAdded":
		if e.Level == "error" && !strings.Contains(e.Text, "/favicon.ico") { // which Firefox asks for by itself, of the login provider too
			p.complaints = append(p.complaints, e.Text)
		}
	case "network.beforeRequestSent":
		p.urls = append(p.urls, e.Request.URL)
	case "browsingContext.load":
		if e.Context == p.context { // those before it were given up
			clear(p.navigating)
		}
	default: // it has ended, in whatever way
		delete(p.navigating, e.Navigation)
	}
}

// fail ends the test with where it was.
func (p *Page) fail(action string, err error) {
	p.t.Helper()
	p.t.Fatalf("Firefox: %s: %v", action, err)
}

// eval calls a JavaScript function in the page and reads what it returns.
func (p *Page) eval(function string, result any, args ...any) error {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	var got struct {
		Type   string `json:"type"`
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Details struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	err := p.wire.call("script.evaluate", map[string]any{
		"expression": "JSON.stringify((" + function + ")(" + strings.Join(texts, ", ") + ") ?? null)",
		"target":     map[string]any{"context": p.context}, "awaitPromise": false,
	}, &got)
	if err == nil && got.Type == "exception" {
		err = errors.New(got.Details.Text)
	}
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal([]byte(got.Result.Value), result)
}

// until repeats a step until it succeeds or the time is over.
func (p *Page) until(action string, step func() error) {
	p.t.Helper()
	over := time.Now().Add(limit)
	for {
		asked := time.Now()
		err := step()
		if err == nil {
			return
		}
		if time.Now().After(over) {
			p.fail(action, err)
		}
		time.Sleep(await.Pause(time.Since(asked)))
	}
}

// settle waits until the pages that a step has led to are loaded, and no form holds back what it sends, or has sent it from a page that is
// still shown: its button is busy then, and Firefox may tell later that a navigation has begun.
func (p *Page) settle(action string) {
	p.t.Helper()
	p.until(action, func() error {
		var busy bool
		if err := p.eval(`() => document.readyState !== "complete" || document.querySelector('form[aria-busy="true"], button[aria-busy="true"]') !== null`, &busy); err != nil {
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if busy || len(p.navigating) > 0 {
			return errors.New("the next page does not come")
		}
		return nil
	})
}

// findElement is a JavaScript function that finds a visible element by selector, or by role and text.
const findElement = `(selector, text) => {
	const plain = (s) => s.replace(/\s+/g, " ").trim();
	const named = (e) => plain(e.innerText || e.value || e.getAttribute("aria-label") || "");
	const all = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0 && !e.closest("[aria-hidden=true]"));
	return text === "" ? all[0] : all.find((e) => named(e) === plain(text)) ?? all.find((e) => named(e).includes(plain(text)));
}`

// middle tells where the middle of an element is.
const middle = `(selector, text) => {
	const found = (` + findElement + `)(selector, text);
	if (!found) throw new Error("no such element: " + selector + " " + text);
	found.scrollIntoView({ block: "center", behavior: "instant" });
	const box = found.getClientRects()[0];
	const x = box.x + box.width / 2, y = box.y + box.height / 2, top = document.elementFromPoint(x, y);
	if (!top || !(found.contains(top) || top.contains(found))) throw new Error("something lies over " + selector + " " + text);
	return { x, y };
}`

// watch makes the page note whether the next click hits an element, or its replacement.
const watch = `(selector, text) => {
	const find = ` + findElement + `, watched = find(selector, text);
	const look = (event) => {
		if (watched.contains(event.target) || find(selector, text)?.contains(event.target)) window.firefoxClick = "hit";
	};
	window.firefoxClick = "awaited";
	addEventListener("click", look, { capture: true, once: true });
	addEventListener("pointerup", () => { setTimeout(() => {
		removeEventListener("click", look, true);
		if (window.firefoxClick === "awaited") window.firefoxClick = "missed";
	}); }, { capture: true, once: true });
}`

// roles are selectors of the elements of a role.
var roles = map[string]string{"button": "button, [role=button], input[type=submit]", "link": "a[href], [role=link]"}

// press clicks an element in its middle, and waits for the result. If the click misses because the page moved the element at that
// moment, it clicks again, as a person would.
func (p *Page) press(selector, text string) {
	p.t.Helper()
	action := "click on " + selector + " " + text
	type point struct{ X, Y float64 }
	p.until(action, func() error {
		var to, there point
		if err := p.eval(middle, &to, selector, text); err != nil {
			return err
		}
		if err := p.mouse(map[string]any{"type": "pointerMove", "x": int(to.X), "y": int(to.Y)}); err != nil {
			return err
		}
		if err := p.eval(middle, &there, selector, text); err != nil {
			return err
		}
		if there != to {
			return errors.New("it has moved")
		}
		if err := p.eval(watch, nil, selector, text); err != nil {
			return err
		}
		if err := p.mouse(map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0}); err != nil {
			p.fail(action, err)
		}
		return p.missed(action)
	})
	p.settle(action)
}

// missed waits until the page knows of the click, and tells whether it hit nothing or another element. If the page is gone, the
// click left it.
func (p *Page) missed(action string) error {
	p.t.Helper()
	var click string
	p.until(action, func() error {
		if err := p.eval(`() => window.firefoxClick ?? "gone"`, &click); err != nil {
			return err
		}
		if click == "awaited" {
			return errors.New("the page does not know of the click")
		}
		return nil
	})
	if click == "missed" {
		return errors.New("it moved away under the click")
	}
	return nil
}

// mouse performs actions of the mouse.
func (p *Page) mouse(actions ...map[string]any) error {
	return p.wire.call("input.performActions", map[string]any{"context": p.context, "actions": []any{map[string]any{
		"type": "pointer", "id": "mouse", "actions": actions,
	}}}, nil)
}

// Click clicks the first visible element that matches.
func (p *Page) Click(selector string) { p.t.Helper(); p.press(selector, "") }

// ClickText clicks the element of a role (or selector) whose name is, or contains, the text.
func (p *Page) ClickText(role, text string) {
	p.t.Helper()
	if selector, ok := roles[role]; ok {
		role = selector
	}
	p.press(role, text)
}

// Submit submits a form, as Enter in one of its fields does.
func (p *Page) Submit(selector string) {
	p.t.Helper()
	p.act("submit "+selector, `(selector) => { document.querySelector(selector).requestSubmit(); }`, selector)
}

// act calls a function that does something to the page.
func (p *Page) act(action, function string, args ...any) {
	p.t.Helper()
	p.until(action, func() error { return p.eval(function, nil, args...) })
	p.settle(action)
}

// Fill replaces a field's value, with the events of typing.
func (p *Page) Fill(selector, value string) {
	p.t.Helper()
	p.act("fill in "+selector, `(selector, value) => {
		const e = document.querySelector(selector);
		if (!e || e.getClientRects().length === 0 || e.disabled) throw new Error("it is not there");
		e.focus(); e.select?.(); e.value = value;
		e.dispatchEvent(new InputEvent("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
		e.blur();
	}`, selector, value)
}

// Select selects the option with the value or the label.
func (p *Page) Select(selector, option string) {
	p.t.Helper()
	p.act("select "+option, `(selector, wanted) => {
		const e = document.querySelector(selector), all = [...e.options];
		(all.find((o) => o.value === wanted) ?? all.find((o) => o.label.trim() === wanted)).selected = true;
		e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
	}`, selector, option)
}

const setChecked = `(selector, on) => { const e = document.querySelector(selector); if (e.checked !== on) e.click(); }`

// Check checks a check box or radio button.
func (p *Page) Check(selector string) {
	p.t.Helper()
	p.act("check "+selector, setChecked, selector, true)
}

// Uncheck unchecks a check box.
func (p *Page) Uncheck(selector string) {
	p.t.Helper()
	p.act("uncheck "+selector, setChecked, selector, false)
}

// Upload chooses files.
func (p *Page) Upload(selector string, files ...string) {
	p.t.Helper()
	var found struct {
		Nodes []struct {
			SharedID string `json:"sharedId"`
		} `json:"nodes"`
	}
	p.until("choose files", func() error {
		err := p.wire.call("browsingContext.locateNodes", map[string]any{"context": p.context, "locator": map[string]string{"type": "css", "value": selector}}, &found)
		if err == nil && len(found.Nodes) == 0 {
			err = errors.New("no such field")
		}
		return err
	})
	err := p.wire.call("input.setFiles", map[string]any{"context": p.context, "element": map[string]string{"sharedId": found.Nodes[0].SharedID}, "files": files}, nil)
	if err != nil {
		p.fail("choose files", err)
	}
	p.settle("choose files")
}

// SetCookie sets a cookie as the server at an address would.
func (p *Page) SetCookie(address string, c *http.Cookie) {
	p.t.Helper()
	at, err := url.Parse(address)
	if err == nil {
		site := map[http.SameSite]string{http.SameSiteStrictMode: "strict", http.SameSiteNoneMode: "none"}[c.SameSite]
		if site == "" {
			site = "lax"
		}
		err = p.wire.call("storage.setCookie", map[string]any{"cookie": map[string]any{
			"name": c.Name, "value": map[string]string{"type": "string", "value": c.Value}, "domain": at.Hostname(), "path": "/",
			"httpOnly": c.HttpOnly, "secure": c.Secure, "sameSite": site,
		}}, nil)
	}
	if err != nil {
		p.fail(fmt.Sprintf("set the cookie %s", c.Name), err)
	}
}
