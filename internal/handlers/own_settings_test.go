package handlers_test

import (
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// formOf are the values of a form as it stands on a page.
func formOf(page *goquery.Document, action string) map[string]string {
	values := map[string]string{}
	page.Find(`form[action="` + action + `"] [name]`).Each(func(_ int, e *goquery.Selection) {
		if kind := e.AttrOr("type", ""); (kind == "checkbox" || kind == "radio") && !e.Is("[checked]") {
			return // a browser posts nothing
		}
		values[e.AttrOr("name", "")] = e.AttrOr("value", e.Text())
	})
	return values
}

// TestOwnSettings: an account's own administrator changes its settings, and nothing that decides where it sends.
func TestOwnSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, accountAdmin)
	const path = "/k/oppvekst/innstillinger"
	values := formOf(b.get(path).page(t), path)
	for _, locked := range []string{dispatch.FieldName, dispatch.FieldSlug, dispatch.FieldOrganizationNumber, "sms-integrasjon", dispatch.FieldSMSAccountID,
		dispatch.FieldShipmentAccountID, dispatch.FieldSourceSystem} {
		if _, ok := values[locked]; ok {
			t.Errorf("the page offers %s", locked)
		}
	}
	form := fields()
	for name, value := range values {
		form.Set(name, value)
	}
	form.Set(dispatch.FieldUndo, "90")
	form.Set(dispatch.FieldWatchWords, "diagnose")
	form.Set(dispatch.FieldName, "Kapret")
	form.Set("sms-integrasjon", "")
	form.Set(dispatch.FieldSMSAccountID, "")
	got := b.post(path, form)
	if got.StatusCode != http.StatusSeeOther || got.location() != path {
		t.Fatalf("got %d to %q: %v", got.StatusCode, got.location(), problems(t, got))
	}
	before := s.oppvekst.Account
	accounts, err := registry.In(s.store).Accounts.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if a.ID != before.ID {
			continue
		}
		if a.UndoWindow.Seconds() != 90 || a.WatchWords != "diagnose" {
			t.Errorf("the settings are %s and %q", a.UndoWindow, a.WatchWords)
		}
		if a.Name != before.Name || a.SMSIntegration != before.SMSIntegration || a.SMSAccountID != before.SMSAccountID || a.SourceSystem != before.SourceSystem {
			t.Errorf("it is now %+v", a)
		}
	}
	if got := b.post(path, form); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)[dispatch.FieldUndo] == "" {
		t.Errorf("the second tab gets %d", got.StatusCode)
	}
	if got := b.post(path+"/pdf", fields("standard", "true", "versjon", b.get(path+"/pdf").page(t).Find("[name=versjon]").AttrOr("value", ""))); got.location() != path+"/pdf" {
		t.Errorf("the rules for PDFs lead to %q", got.location())
	}
	if got := b.get("/admin/kontoer/oppvekst"); got.StatusCode != http.StatusForbidden {
		t.Errorf("the system's page answers %d, want 403", got.StatusCode)
	}
	if got := b.get("/k/helse/innstillinger"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another account's settings answer %d, want 404", got.StatusCode)
	}
}
