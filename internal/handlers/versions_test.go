package handlers_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// heldForm is what the form that carries a version holds.
func heldForm(page *goquery.Document) url.Values {
	form := fields()
	page.Find("main form:has([name=versjon]), main form:has([name=lagret-versjon])").First().Find("[name]").Each(func(_ int, field *goquery.Selection) {
		name := field.AttrOr("name", "")
		if field.Is("select") {
			form.Set(name, field.Find("option[selected]").AttrOr("value", ""))
		} else if !field.Is("button") {
			form.Set(name, held(page, name))
		}
	})
	return form
}

// TestNoSuchVersion: an impossible version number counts as none, in every form with one.
func TestNoSuchVersion(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	jonas, kari := s.browser(t, accountAdmin), s.browser(t, caseworker)
	draft := kari.post("/k/oppvekst/forsendelser/ny", fields()).location()
	integration := "/admin/integrasjoner/" + string(s.oppvekst.Account.SMSIntegration)
	for _, at := range []struct {
		b          *browser
		from, post string
	}{
		{nora, "/admin/kontoer/oppvekst", "/admin/kontoer/oppvekst"},
		{nora, "/admin/kontoer/oppvekst/pdf", "/admin/kontoer/oppvekst/pdf"},
		{nora, "/admin/kontoer/oppvekst", "/admin/kontoer/oppvekst/deaktiver"},
		{nora, integration, integration + "/endre"},
		{jonas, "/k/oppvekst/innstillinger", "/k/oppvekst/innstillinger"},
		{jonas, "/k/oppvekst/innstillinger/pdf", "/k/oppvekst/innstillinger/pdf"},
		{kari, draft, draft},
		{kari, draft + "/kontroll", draft + "/send"},
	} {
		form := heldForm(at.b.get(at.from).page(t))
		for _, version := range []string{"3000000000", "99999999999999999999", "-99999999999999999999", "zz", ""} {
			form.Set("versjon", version)
			if got := at.b.post(at.post, form); got.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s with version %q: got %d", at.post, version, got.StatusCode)
			}
		}
	}
}
