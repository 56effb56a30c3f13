package handlers_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
)

// refers has the account make references, and returns that of a number.
func (s *site) refers(t *testing.T, fill bool) func(n int) string {
	t.Helper()
	a := s.oppvekst.Account
	a.References = dispatch.ReferenceRule{Pattern: "{år}-{nr:5}-{enhet}", Unit: "OPV", Fill: fill}
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return func(n int) string { return a.References.Reference(time.Now().In(dispatch.Oslo).Year(), int64(n)) }
}

// TestReferenceSettings: the account's own administrator sets the pattern, sees an example, and is told what is wrong; it is in the
// event log.
func TestReferenceSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, accountAdmin)
	const path = "/k/oppvekst/innstillinger"
	post := func(pairs ...string) answer {
		form := fields()
		for name, value := range formOf(b.get(path).page(t), path) {
			form.Set(name, value)
		}
		for name, values := range fields(pairs...) {
			form[name] = values
		}
		return b.post(path, form)
	}
	for _, tt := range []struct{ pattern, unit, field, says string }{
		{"{år}-OPV", "", "referansemonster", "Mønsteret må ha {år} og {nr}"},
		{"{år}-{nr}-{enhet}", "", "referanseenhet", "Mønsteret har {enhet}."},
		{"{år}-{nr}" + strings.Repeat("x", 100), "", "referansemonster", "Referansene blir for lange."},
		{"{år}-{saksnr}", "", "referansemonster", "Mønsteret kan ha {år}"},
	} {
		wrong := post("referansemonster", tt.pattern, "referanseenhet", tt.unit)
		if said := problems(t, wrong)[tt.field]; wrong.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(said, tt.says) {
			t.Errorf("%q: got %d %q", tt.pattern, wrong.StatusCode, said)
		}
	}
	if got := post("referansemonster", " {år}-{nr:5}-{enhet} ", "referanseenhet", "OPV", "referanse-fyll", "true"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d: %v", got.StatusCode, problems(t, got))
	}
	page := b.get(path).page(t)
	if got := page.Find("#referanse-eksempel").Text(); !strings.HasSuffix(got, strconv.Itoa(time.Now().In(dispatch.Oslo).Year())+"-00042-OPV") || page.Find("#referanse-fyll[checked]").Length() != 1 {
		t.Errorf("the example is %q", got)
	}
	if n := s.audits(t, "account_setup.update"); n != 1 {
		t.Errorf("%d lines in the event log", n)
	}
	wantWords(t, s.browser(t, systemAdmin).get("/admin/logg?type=setup"), "Mønster: fra tomt til {år}-{nr:5}-{enhet}", "Fyll ut referansen ved sending: fra nei til ja")
	if got := s.browser(t, caseworker).get(path); got.StatusCode != http.StatusForbidden {
		t.Errorf("a caseworker: got %d", got.StatusCode)
	}
}

// TestReferenceIsMade: by the button, and not over what is typed; without a pattern there is no button.
func TestReferenceIsMade(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	draft := "/k/oppvekst/utkast/" + string(id)
	if b.get(draft).page(t).Find("button[value=referanse]").Length() != 0 {
		t.Error("there is a button without a pattern")
	}
	if b.post(draft, typed("neste", "referanse")); b.get(draft).page(t).Find("#referanse").AttrOr("value", "") != "" {
		t.Error("a reference is made without a pattern")
	}
	reference := s.refers(t, false)
	if got := words(b.get(draft).page(t).Find("#referanse-regel").Text()); !strings.Contains(got, reference(42)) {
		t.Errorf("beside the button stands %q", got)
	}
	if got := b.post(draft, typed("versjon", "2", "neste", "referanse")).location(); got != draft+"#referanse" {
		t.Errorf("the button leads to %q", got)
	}
	if got := b.get(draft).page(t).Find("#referanse").AttrOr("value", ""); got != reference(1) {
		t.Errorf("got %q", got)
	}
	if got := b.post(draft, typed("versjon", "2", "neste", "referanse")); got.StatusCode != http.StatusConflict {
		t.Errorf("a second click: got %d", got.StatusCode)
	}
	b.post(draft, typed("versjon", "3", "neste", "referanse", "referanse", "Sak 7"))
	if got := b.get(draft).page(t).Find("#referanse").AttrOr("value", ""); got != "Sak 7" {
		t.Errorf("over what is typed: %q", got)
	}
	if got := s.browser(t, outsider).post(draft, typed("versjon", "4", "neste", "referanse")); got.StatusCode != http.StatusNotFound {
		t.Errorf("another account: got %d", got.StatusCode)
	}
}

// TestReferenceIsFilledIn: the review tells it, and the shipment has it.
func TestReferenceIsFilledIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	reference := s.refers(t, true)
	b := s.browser(t, caseworker)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	review := b.post("/k/oppvekst/utkast/"+string(id), typed()).location()
	if got := b.get(review).page(t).Find("#ny-referanse").Text(); !strings.Contains(got, reference(42)) {
		t.Errorf("the review says %q", got)
	}
	item := b.post(strings.Replace(review, "kontroll", "send", 1), fields("versjon", "2")).location()
	wantWords(t, b.get(item), reference(1))

	people := "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n"
	send := func(pairs ...string) (said string, got []string) {
		at := s.newShipmentList(t, b, "liste", people)
		b.post(at, fields(append([]string{"versjon", "1", "tittel", "Vedtak " + uuid.NewString(), "avgivende", "Utsending"}, pairs...)...))
		said = b.get(at + "/flere/kontroll").page(t).Find("#ny-referanse").Text()
		b.send(at + "/flere")
		s.makeItems(t)
		job := dispatch.JobID(strings.TrimPrefix(b.follow(t, at).Request.URL.Path, "/k/oppvekst/jobber/"))
		for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), s.oppvekst.Account.ID, job) {
			if err != nil {
				t.Fatal(err)
			}
			sent, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, it.ID)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, sent.ExternalReference)
		}
		return said, got
	}
	for _, tt := range []struct {
		pairs []string
		says  string
		want  []string
	}{
		{nil, "Alle får den samme referansen", []string{reference(2), reference(2)}},
		{[]string{"referanse-hver", "true"}, "Hver mottaker får sin egen referanse", []string{reference(3), reference(4)}},
		{[]string{"referanse-hver", "true", "referanse", "Sak 7"}, "", []string{"Sak 7", "Sak 7"}},
		{[]string{"referanse", "Sak for ((navn))"}, "", []string{"Sak for Ola", "Sak for Kari"}},
	} {
		said, got := send(tt.pairs...)
		if !strings.HasPrefix(said, tt.says) || (said == "") != (tt.says == "") || !slices.Equal(got, tt.want) {
			t.Errorf("%q: said %q, got %q, want %q", tt.pairs, said, got, tt.want)
		}
	}
}
