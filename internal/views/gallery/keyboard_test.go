package gallery

import (
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/browsertest"
)

var update = flag.Bool("update", false, "write testdata/trees anew")

// mainPages are those where people spend their time, one state of each.
var mainPages = []string{
	"overview/account", "sms-form/draft", "shipment-form/filled", "shipment-review/both", "shipments/one", "sms-item/history",
	"follow-up/one", "lead/calm", "job/new", "account/new",
}

// TestMainPagesByKeyboard tries what axe cannot see on the main pages: each stop of the keyboard has a ring, stands in the window and is
// large enough, wide and at 400 % (320 px); nothing moves where people ask for that; and with the system's own colours what a tint
// told has a line. What assistive technology is told is compared with testdata/trees (-update writes it).
func TestMainPagesByKeyboard(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	p := browsertest.Start(t).Page(t, wide)
	p.Go(server.URL)
	for _, page := range mainPages {
		p.As(wide)
		p.Show("/" + page)
		tree := p.AccessibilityTree()
		if page != mainPages[0] { // the frame is told once
			_, tree, _ = strings.Cut(tree, "\n  main\n")
		}
		compareTree(t, page, tree)
		p.Press("Tab")
		if got := p.HTML(); !strings.Contains(got, "ds-skip-link") || p.FocusedSelector() != "html > body > a:nth-of-type(1)" && p.FocusedSelector() != "html > body > a" {
			t.Errorf("%s: the first stop is %s, not the link to the content", page, p.FocusedSelector())
		}
		for name, window := range map[string]browsertest.PageOptions{"wide": wide, "400 %": narrow} {
			p.As(window)
			for _, fault := range p.FocusFaults() {
				t.Errorf("%s, %s: %s", page, name, fault)
			}
		}
		p.As(browsertest.PageOptions{Still: true, Forced: true})
		for _, e := range p.Moving() {
			t.Errorf("%s moves: %s", page, e)
		}
		for _, e := range p.Unlined(".ds-tag, .count, .notice, .nav [aria-current], .ds-input, .ds-button:not([data-variant=tertiary])") {
			t.Errorf("%s in forced colours has no line around %s", page, e)
		}
	}
}

// compareTree holds a page's accessibility tree against what was looked through before.
func compareTree(t *testing.T, page, got string) {
	t.Helper()
	golden := filepath.Join("testdata", "trees", strings.ReplaceAll(page, "/", "-")+".txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s tells assistive technology something else; look through it, then -update:\n%s", page, diff)
	}
}

// TestKeyboardJourney goes a way with keys alone: past the navigation, into a menu and out, and moves a file with its buttons. Giro
// pages are TestShipmentPages', the summary of problems correctsProblems', the end of the session isWarned's (cmd/web).
func TestKeyboardJourney(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	p := browsertest.Start(t).Page(t, wide)
	p.Go(server.URL + "/shipment-form/filled")
	p.Press("Tab")
	p.Press("Enter")
	if got := p.FocusedSelector(); got != "#hoved" {
		t.Errorf("the link to the content leads to %s", got)
	}
	p.Press("Tab")
	if inside := p.Count("main :focus"); inside != 1 {
		t.Errorf("the next stop is %s, outside the content", p.FocusedSelector())
	}

	p.Focus("[popovertarget=menu-konto]")
	p.Press("Enter")
	p.WaitText("#menu-konto", "Bytt konto")
	p.Press("Tab")
	if p.Count("#menu-konto :focus") != 1 {
		t.Errorf("the open menu is not the next stop, but %s", p.FocusedSelector())
	}
	p.Press("Escape")
	if p.Count("[popovertarget=menu-konto]:focus") != 1 || p.Visible("#menu-konto") {
		t.Errorf("after Escape the focus is at %s", p.FocusedSelector())
	}

	first := p.Text(".docs > :nth-child(1) .doc-main > strong")
	p.Focus(".docs > :nth-child(1) [data-flytt='1']")
	p.Press("Enter")
	p.WaitAnnounced("er nå nummer 2 av")
	if got := p.Text(".docs > :nth-child(2) .doc-main > strong"); got != first {
		t.Errorf("second is %q, want %q", got, first)
	}
	if p.Count(".docs > :nth-child(2) :focus") != 1 {
		t.Errorf("the focus is at %s, not with the file that was moved", p.FocusedSelector())
	}
}

// TestWalkByKeyboard goes through pages with Tab alone: each stop comes once, Shift+Tab leads back, and a menu that Escape closes gives
// the keyboard back to its button.
func TestWalkByKeyboard(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(mustGallery(t))
	t.Cleanup(server.Close)
	p := browsertest.Start(t).Page(t, wide)
	p.Go(server.URL)
	for _, page := range []string{"sms-form/draft", "shipment-form/filled", "shipments/one", "sms-item/history", "account/new"} {
		p.Show("/" + page)
		stops := walk(t, p, page)
		if len(stops) < 20 {
			t.Errorf("%s has %d stops of the keyboard: %q", page, len(stops), stops)
		}
		p.Focus(".top button[popovertarget]")
		button := p.FocusedSelector()
		p.Press("Enter")
		p.Press("Tab")
		if p.Count(":popover-open :focus") != 1 {
			t.Errorf("%s: the menu does not take the keyboard: %s has it", page, p.FocusedSelector())
		}
		p.Press("Escape")
		if got := p.FocusedSelector(); p.Count(":popover-open") != 0 || got != button {
			t.Errorf("%s: after the menu %s has the keyboard, want %s", page, got, button)
		}
	}
}

// walk presses Tab until the page begins anew, and returns where it stopped.
func walk(t *testing.T, p *browsertest.Page, page string) (stops []string) {
	t.Helper()
	for range 150 {
		p.Press("Tab")
		at := p.FocusedSelector()
		if slices.Contains(stops, at) || at == "" || at == "html > body" {
			if len(stops) > 0 && at != stops[0] && at != "" && at != "html > body" {
				t.Errorf("%s: Tab goes back to %s", page, at)
			}
			break
		}
		stops = append(stops, at)
		if len(stops) == 12 {
			p.Press("Shift+Tab")
			if got := p.FocusedSelector(); got != stops[10] {
				t.Errorf("%s: Shift+Tab goes to %s, want %s", page, got, stops[10])
			}
			p.Press("Tab")
		}
	}
	return stops
}
