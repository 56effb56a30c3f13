package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestHandOver: a draft given to a colleague of the account is theirs alone, and shows its origin, also in its
// history.
func TestHandOver(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	id, _ := s.listDraft(t, caseworker, "Vedtak om skyss")
	at := "/k/oppvekst/utkast/" + string(id)
	kari.post(at, typed("versjon", "1", "tittel", "Vedtak om skyss", "neste", "lagre"))
	to := string(s.as(t, teamLead).User)
	if got := kari.get(at + "/overlat").page(t).Find("option[value='" + to + "']").Length(); got != 0 {
		t.Error("somebody is offered who has never made a shipment here")
	}
	s.listDraft(t, teamLead, "Noe annet")
	s.listDraft(t, outsider, "På en annen konto")
	if got := kari.get(at + "/overlat").page(t).Find("#til option").Length(); got != 2 {
		t.Errorf("%d are offered, want nobody and Ingrid", got-1)
	}
	for _, wrong := range []string{"", "x", string(s.as(t, outsider).User), string(s.as(t, caseworker).User), string(s.as(t, auditor).User)} {
		if got := kari.post(at+"/overlat", fields("til", wrong)); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("to %q: got %d", wrong, got.StatusCode)
		}
	}
	if got := kari.post(at+"/overlat", fields("til", to)).location(); got != "/k/oppvekst/utkast" {
		t.Fatalf("got %q", got)
	}
	t.Run("the former owner has it no more, and is told who has", func(t *testing.T) {
		for _, path := range []string{at, at + "/kontroll", at + "/overlat"} {
			if got := kari.get(path).StatusCode; got != http.StatusNotFound {
				t.Errorf("%s: got %d", path, got)
			}
		}
		if got := kari.post(at, typed("versjon", "2")).StatusCode; got != http.StatusNotFound {
			t.Errorf("saving: got %d", got)
		}
		if got := kari.get("/k/oppvekst/utkast").page(t).Find("#overlatt").Closest("section").Text(); !strings.Contains(got, "Vedtak om skyss") || !strings.Contains(got, "Ingrid Lunde") {
			t.Errorf("the list says %q", got)
		}
	})
	t.Run("the colleague has it, with who it came from", func(t *testing.T) {
		if got := ingrid.get("/k/oppvekst/utkast").page(t).Find("tbody").First().Text(); !strings.Contains(got, "Fra Kari Nordmann") {
			t.Errorf("the list says %q", got)
		}
		page := ingrid.get(at).page(t)
		if got := page.Find("main").Text(); !strings.Contains(got, "Du fikk utkastet av Kari Nordmann") || page.Find("#dokumentliste > li").Length() != 1 {
			t.Error("the draft does not say who it came from, or lacks its file")
		}
	})
	t.Run("is taken back until something is saved", func(t *testing.T) {
		if got := s.browser(t, outsider).post("/k/helse/utkast/"+string(id)+"/ta-tilbake", fields()).StatusCode; got != http.StatusNotFound {
			t.Errorf("from another account: got %d", got)
		}
		if got := ingrid.post(at+"/ta-tilbake", fields()).StatusCode; got != http.StatusNotFound {
			t.Errorf("by who has it: got %d", got)
		}
		if got := kari.post(at+"/ta-tilbake", fields()).location(); got != at || kari.get(at).StatusCode != http.StatusOK || ingrid.get(at).StatusCode != http.StatusNotFound {
			t.Errorf("got %q", got)
		}
		kari.post(at+"/overlat", fields("til", to))
		ingrid.post(at, typed("versjon", "2", "tittel", "Endret av Ingrid", "neste", "lagre"))
		if got := kari.post(at+"/ta-tilbake", fields()).location(); got != "/k/oppvekst/utkast" || ingrid.get(at).StatusCode != http.StatusOK {
			t.Errorf("a draft that is worked on was taken back: %q", got)
		}
		late := kari.get("/k/oppvekst/utkast").page(t)
		if got := late.Find(".ds-alert[data-color=warning]").Text(); !strings.Contains(got, "kan ikke ta det tilbake") {
			t.Errorf("that it is too late is told as %q", got)
		}
		if got := late.Find("#overlatt").Closest("section").Text(); strings.Contains(got, "Endret av Ingrid") {
			t.Error("the former owner reads on in the draft")
		}
	})
	t.Run("both see it in the history when it is sent", func(t *testing.T) {
		ingrid.post(at, typed("versjon", "3"))
		item := ingrid.post(at+"/send", fields("versjon", "4")).location()
		if it, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, id); err != nil || it.CreatedBy != dispatch.UserID(to) {
			t.Fatalf("it is %v's, %v", it.Creator, err)
		}
		for name, b := range map[string]*browser{"the former owner": kari, "the owner": ingrid} {
			if got := b.get(item).page(t).Find("#historikk").Closest("section").Text(); !strings.Contains(got, "Overlatt til Ingrid Lunde") || !strings.Contains(got, "Tatt tilbake") {
				t.Errorf("%s sees %q", name, got)
			}
		}
	})
}
