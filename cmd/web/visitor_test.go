package main_test

import (
	"net/http"
	"path"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/browsertest/plain"
	"utsending/internal/dispatch"
)

// driver is what any browser can do.
type driver interface {
	Go(address string)
	Back()
	Reload()
	Click(selector string)
	ClickText(role, text string)
	Submit(selector string)
	Fill(selector, value string)
	Select(selector, option string)
	Check(selector string)
	Uncheck(selector string)
	Upload(selector string, files ...string)
	Text(selector string) string
	WaitText(selector, text string)
	Value(selector string) string
	Count(selector string) int
	Title() string
	HTML() string
	Path() string
	URL() string
	URLs() []string
	ConsoleErrors() []string
	FocusedSelector() string
	SetCookie(address string, c *http.Cookie)
}

// screen is what only Chromium has: layout, keyboard, paper.
type screen struct{ *browsertest.Page }

// visitor is a user with a browser.
type visitor struct {
	driver
	screen  // nil without script
	t       *testing.T
	s       *stack
	scripts bool
	window  string // see looked
	// overtaken is how many autosaves may be refused: a page that is left sends its last save while the one before runs, which may arrive after it.
	overtaken int
}

// The two other kinds of window. Without script, the browser is one in Go; see drawn for the exception.
var (
	onPhone       = browsertest.PageOptions{Mobile: true}
	withoutScript = browsertest.PageOptions{JavaScriptOff: true}
)

// withoutStyles is the effect of our style sheets on a page without script.
var withoutStyles = plain.Options{Hidden: ".js-only, .print-only, .live-off, .top-menu, .nav-close", Shown: ".nav"}

// visitor opens a browser window.
func (s *stack) visitor(t *testing.T, b *browsertest.Browser, o browsertest.PageOptions) *visitor {
	t.Helper()
	if !o.JavaScriptOff {
		return s.drawn(t, b, o)
	}
	return s.watched(&visitor{driver: plain.New(t, withoutStyles), t: t, s: s})
}

// drawn opens a window of Chromium even without script, to check the style sheets' effect.
func (s *stack) drawn(t *testing.T, b *browsertest.Browser, o browsertest.PageOptions) *visitor {
	t.Helper()
	p := b.Page(t, o)
	v := &visitor{driver: p, screen: screen{p}, t: t, s: s, scripts: !o.JavaScriptOff, window: "1440"}
	if o.Mobile {
		v.window = "390"
	}
	return s.watched(v)
}

// watched checks at the end of the journey that the browser reported no errors, and that no address it requested contains personal
// data.
func (s *stack) watched(v *visitor) *visitor {
	v.t.Cleanup(func() {
		for _, complaint := range v.ConsoleErrors() {
			if v.overtaken > 0 && strings.Contains(complaint, "409 (Conflict)") && strings.HasSuffix(complaint, "/stand)") {
				v.overtaken--
				continue
			}
			v.t.Errorf("browser: %s", complaint)
		}
		for _, found := range search("an address", strings.Join(v.URLs(), "\n"), forbidden.list()) {
			v.t.Error(found)
		}
	})
	return v
}

// as opens a window with a logged-in user. No page is open yet.
func (s *stack) as(t *testing.T, b *browsertest.Browser, o browsertest.PageOptions, subject string) *visitor {
	t.Helper()
	return s.visitor(t, b, o).loggedIn(subject)
}

// loggedIn logs a user in without the browser, which saves it three pages; logIn does it like a user.
func (v *visitor) loggedIn(subject string) *visitor {
	v.t.Helper()
	for host, cookie := range v.s.caller(v.t, subject).client.Jar.(*plain.Jar).Each() {
		address := v.s.address
		if strings.Contains(v.s.issuer, "//"+host+":") {
			address = v.s.issuer
		}
		v.SetCookie(address, cookie)
	}
	return v
}

// Go opens a page of the application, or another address.
func (v *visitor) Go(address string) {
	v.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = v.s.address + address
	}
	v.driver.Go(address)
}

// logIn goes to the front page and chooses a person on the provider's page.
func (v *visitor) logIn(subject string) {
	v.t.Helper()
	v.Go("/")
	v.WaitText("h1", "Velg hvem du vil være")
	v.Click(`button[value="` + subject + `"]`)
}

// wantHeading checks the page's heading.
func (v *visitor) wantHeading(want string) {
	v.t.Helper()
	if got := v.Text("h1"); got != want {
		v.t.Fatalf("the page is headed %q, want %q", got, want)
	}
}

// wantText checks the text of an element.
func (v *visitor) wantText(selector, want string) {
	v.t.Helper()
	if got := v.Text(selector); !strings.Contains(got, want) {
		v.t.Errorf("%s reads %q, want %q", selector, got, want)
	}
}

// wantNone checks that no element matches.
func (v *visitor) wantNone(selectors ...string) {
	v.t.Helper()
	for _, s := range selectors {
		if n := v.Count(s); n > 0 {
			v.t.Errorf("%d × %s on %s, want none", n, s, v.Path())
		}
	}
}

// wantUnseen checks that the page contains none of these values.
func (v *visitor) wantUnseen(values ...string) {
	v.t.Helper()
	for _, found := range search(v.Path(), v.HTML(), values) {
		v.t.Error(found)
	}
}

// fill fills in the form.
func (v *visitor) fill(m message) {
	v.t.Helper()
	if m.phone != "" {
		v.Check(`[name=mottaker][value=telefonnummer]`)
		v.fillNumber("#telefonnummer", m.phone)
	}
	if m.nationalID != "" {
		v.Check(`[name=mottaker][value=fnr]`)
		v.fillNumber("#fnr", m.nationalID)
	}
	v.Fill("#tekst", m.text)
	if m.hide {
		v.Check("#skjul")
	}
}

// fillNumber fills in a number, and waits for its check.
func (v *visitor) fillNumber(field, number string) {
	v.t.Helper()
	v.Fill(field, number)
	if v.scripts {
		eventually(v.t, "the page says something about "+field, func() bool { return v.Count(field+"-s[data-color]") == 1 })
	}
}

// review fills in the form and goes to the review.
func (v *visitor) review(account dispatch.Account, m message) {
	v.t.Helper()
	v.Go("/k/" + account.Slug + "/sms/ny")
	v.fill(m)
	v.ClickText("button", "Se over og send")
	v.wantHeading("Se over og send")
}

// send fills in the form, sends it, and waits for the item's page.
func (v *visitor) send(account dispatch.Account, m message) dispatch.ItemID {
	v.t.Helper()
	v.review(account, m)
	v.ClickText("button", "Send SMS")
	v.wantText("[role=status]", "Meldingen er tatt imot for sending")
	return v.itemID()
}

// itemID is the id in the page's address.
func (v *visitor) itemID() dispatch.ItemID {
	v.t.Helper()
	return dispatch.ItemID(path.Base(v.Path()))
}

// open goes to the page of an item.
func (v *visitor) open(account dispatch.Account, id dispatch.ItemID) {
	v.t.Helper()
	v.Go("/k/" + account.Slug + "/sms/" + string(id))
}

// awaitTag waits until the page shows a state, without reloading it.
func (v *visitor) awaitTag(word string) {
	v.t.Helper()
	v.awaitText("#sms .status-now .ds-tag", word)
}

// stops stops an SMS that is being retried, and presses again if a call was running.
func (v *visitor) stops() {
	v.t.Helper()
	eventually(v.t, "the SMS is stopped", func() bool {
		if strings.Contains(v.Text("#sms .status-now .ds-tag"), "Stoppet") {
			return true
		}
		if v.Count("form[action$='/avbryt'] button") == 0 {
			v.Reload()
		} else {
			v.ClickText("button", "Stopp sendingen")
		}
		return false
	})
}

// awaitText waits until the page shows a text: by itself, or by reloading without script.
func (v *visitor) awaitText(selector, want string) {
	v.t.Helper()
	if v.scripts {
		v.WaitText(selector, want)
	} else {
		v.reloadUntil(selector, want)
	}
}

// wantBulkDone waits for the end of a bulk act and returns to the list. An act that takes longer than its request shows its
// progress first.
func (v *visitor) wantBulkDone(list, says string) {
	v.t.Helper()
	if !strings.Contains(v.Path(), "/utvalg/") {
		v.wantText("[role=status]", says)
		return
	}
	v.awaitText("#utvalg-tittel", "Ferdig")
	v.wantText("#utvalg", says)
	v.Go(list)
}

// reloadUntil reloads the page until it shows a text.
func (v *visitor) reloadUntil(selector, want string) {
	v.t.Helper()
	eventually(v.t, selector+" reads "+want, func() bool {
		if strings.Contains(v.Text(selector), want) {
			return true
		}
		v.Reload()
		return false
	})
}
