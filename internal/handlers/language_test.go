package handlers_test

import (
	"net/http"
	"testing"
)

// lang is the language of a page.
func (a answer) lang(t *testing.T) string {
	t.Helper()
	return a.page(t).Find("html").AttrOr("lang", "")
}

// TestLanguage: pages are in the language that somebody has chosen, on this device and on the next on which they log in; else in the
// municipality's.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari := s.browser(t, caseworker)
	if got := kari.get("/hjelp").lang(t); got != "nb" {
		t.Errorf("before a choice: %q", got)
	}
	for _, tag := range []string{"nn", "en", "nb"} {
		if got := kari.post("/min-side/visning", fields("sprak", tag)); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("choosing %s answers %d", tag, got.StatusCode)
		}
		page := kari.get("/min-side/visning")
		if got := page.lang(t); got != tag || page.page(t).Find("#sprak-"+tag+"[checked]").Length() != 1 {
			t.Errorf("after choosing %s: %q", tag, got)
		}
		if got := s.browser(t, caseworker).get("/k/oppvekst/").lang(t); got != tag {
			t.Errorf("on another device: %q, want %s", got, tag)
		}
	}
	kari.post("/min-side/visning", fields("sprak", "nn"))
	kari.post("/min-side/visning", fields("sprak", "tlh"))
	if got := kari.get("/min-side/visning"); got.lang(t) != "nb" || got.page(t).Find("#sprak-[checked]").Length() != 1 {
		t.Errorf("a language that there is not is chosen: %q", got.lang(t))
	}
	if got := s.browser(t, teamLead).get("/k/oppvekst/").lang(t); got != "nb" {
		t.Errorf("somebody else's choice holds for all: %q", got)
	}
}
