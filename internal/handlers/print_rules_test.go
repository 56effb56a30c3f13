package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// readShipment is what was read in a shipment whose window shows this name.
func readShipment(name string) *dispatch.FileReading {
	r := &dispatch.FileReading{Version: "1.7", Tagged: true, Language: true, Text: true, Sizes: []dispatch.PageSize{{Width: 210, Height: 297, First: 1, Pages: 2}}}
	for i, word := range strings.Fields(name + " Storgata 1 7713 Steinkjer") {
		r.Words = append(r.Words, dispatch.Word{Text: word, X: 30, Y: 40 + 5*float64(i), Width: 20, Height: 4, Line: i})
	}
	return r
}

func findings(page *goquery.Document) string {
	return strings.Join(strings.Fields(page.Find(".check").Text()), " ")
}

// withoutSheet lets the first page of all accounts' shipments show in the window.
func (s *site) withoutSheet(t *testing.T) {
	t.Helper()
	s.run(t, `UPDATE accounts SET print_rules = '{"CoverSheet": false}'`)
}

// TestBehindTheCoverSheet: then nothing of ours shows in the window, and the cover sheet counts as a sheet.
func TestBehindTheCoverSheet(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, _ := s.listDraftOf(t, caseworker, "Vedtak", readShipment("Ola Nordmann 12847810082"))
	review := b.follow(t, "/k/oppvekst/utkast/"+string(id)+"/kontroll")
	if got := findings(review.page(t)); review.StatusCode != http.StatusOK || !strings.Contains(got, "Et fødselsnummer står på første side") || strings.Contains(got, "Må rettes") || strings.Contains(got, "vindu") {
		t.Errorf("got %d, %q", review.StatusCode, got)
	}
	wantWords(t, review, "1 ark (tosidig, svart-hvitt), pluss 1 adresseark som tjenesten legger foran")
	id, _ = s.listDraftOf(t, caseworker, "Vedtak", readShipment("Kari Hansen"))
	if got := findings(b.follow(t, "/k/oppvekst/utkast/"+string(id)+"/kontroll").page(t)); !strings.Contains(got, "Første side ser ikke ut til å være skrevet til mottakeren") {
		t.Errorf("another recipient: %q", got)
	}
	s.withoutSheet(t)
	if got := b.follow(t, "/k/oppvekst/utkast/"+string(id)+"/kontroll").body; strings.Contains(got, "adresseark") {
		t.Error("a sheet is told of that is not there")
	}
}

// TestWhatIsFoundInAShipmentStopsIt: on the draft, at the review, and when sending is tried anyway.
func TestWhatIsFoundInAShipmentStopsIt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.withoutSheet(t)
	id, _ := s.listDraftOf(t, caseworker, "Vedtak", readShipment("Ola Nordmann 12847810082"))
	at := "/k/oppvekst/utkast/" + string(id)
	for _, tt := range []struct {
		name   string
		answer answer
		status int
	}{
		{"on the draft", b.get(at), http.StatusOK},
		{"on review", b.led(t, b.get(at+"/kontroll")), http.StatusUnprocessableEntity},
		{"when it is sent", b.led(t, b.post(at+"/send", fields("versjon", "1"))), http.StatusUnprocessableEntity},
	} {
		page := tt.answer.page(t)
		if got := findings(page); tt.answer.StatusCode != tt.status || !strings.Contains(got, "Må rettes") || !strings.Contains(got, "Et fødselsnummer vises i vinduet") {
			t.Errorf("%s: got %d, %q", tt.name, tt.answer.StatusCode, got)
		}
		if strings.Contains(page.Text(), "12847810082") {
			t.Errorf("%s: the number is shown", tt.name)
		}
	}
	as := s.as(t, caseworker)
	if _, err := items.In(s.store).Drafts.ByID(t.Context(), as.Account.ID, id, as.User); err != nil {
		t.Errorf("it is no draft any more: %v", err)
	}
}

// TestAccountChoosesItsRules: an administrator makes another recipient in the window block sending, and reverts that.
func TestAccountChoosesItsRules(t *testing.T) {
	t.Parallel()
	s, admin := newSetup(t)
	b := s.browser(t, caseworker)
	id, _ := s.listDraftOf(t, caseworker, "Vedtak", readShipment("Kari Nordmann"))
	at, rules := "/k/oppvekst/utkast/"+string(id), "/admin/kontoer/oppvekst/pdf"
	review := func(status int, verdict string) {
		t.Helper()
		a := b.follow(t, at+"/kontroll")
		if got := findings(a.page(t)); a.StatusCode != status || !strings.Contains(got, verdict) || !strings.Contains(got, "Første side ser ikke ut til å være skrevet til mottakeren") {
			t.Errorf("got %d, %q, want %d, %q", a.StatusCode, got, status, verdict)
		}
	}
	save := func(pairs ...string) answer {
		t.Helper()
		form := fields()
		admin.get(rules).page(t).Find("form [name]").Each(func(_ int, field *goquery.Selection) {
			name, _ := field.Attr("name")
			if value := field.AttrOr("value", ""); goquery.NodeName(field) == "input" {
				form.Set(name, value)
			} else if goquery.NodeName(field) == "select" {
				form.Set(name, field.Find("[selected]").AttrOr("value", ""))
			}
		})
		for name, values := range fields(pairs...) {
			form[name] = values
		}
		return admin.post(rules, form)
	}
	review(http.StatusOK, "Se over før du sender")
	if a := save("alvor-recipient", "stop"); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", a.StatusCode)
	}
	review(http.StatusUnprocessableEntity, "Må rettes")
	stale := save("versjon", "1", "alvor-recipient", "off")
	if stale.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(stale.body, "Noen andre lagret mens du skrev") ||
		heldForm(stale.page(t)).Get("alvor-recipient") != "off" {
		t.Errorf("the second administrator is not told, or has to type again: %d", stale.StatusCode)
	}
	if a := save("marg-side", "to"); a.StatusCode != http.StatusUnprocessableEntity || problems(t, a)["marg-side"] == "" {
		t.Errorf("got %d, %q", a.StatusCode, problems(t, a))
	}
	review(http.StatusUnprocessableEntity, "Må rettes")
	if a := save("standard", "true"); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", a.StatusCode)
	}
	review(http.StatusOK, "Se over før du sender")
}

// TestChangedRecipientNeedsNoNewReading: the same reading is compared with the recipient as typed now.
func TestChangedRecipientNeedsNoNewReading(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	as := s.as(t, caseworker)
	id, _ := s.listDraftOf(t, caseworker, "Vedtak", readShipment("Kari Nordmann"))
	documents, err := s.store.Documents(t.Context(), as.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"Kari Nordmann": false, "Ola Nordmann": true} {
		form := shipmentForm("Vedtak")
		form.Name = name
		p := compose.ShipmentFormPage{Form: form, Documents: documents}
		content, _ := p.Form.Parse(dispatch.V1, documents, s.now())
		found := false
		for _, f := range content.Findings(dispatch.DefaultPrintRules())[documents[0].ID] {
			found = found || f.Check == dispatch.CheckRecipient
		}
		if found != want {
			t.Errorf("to %s: another recipient is found: %t", name, found)
		}
	}
}

// TestWindowOfMany: the window of a shipment to many is shown, and compared with no recipient.
func TestWindowOfMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.withoutSheet(t)
	draft, _ := s.listDraftOf(t, caseworker, "Vedtak", readShipment("Kari Nordmann"))
	at := "/k/oppvekst/utkast/" + string(draft)
	kind, body := listForm("liste", "Navn;Adresse;Postnr;Poststed\nOla Nordmann;Storgata 1;7713;Steinkjer\nÅse Nordmann;Storgata 4;7713;Steinkjer\n")
	b.do(http.MethodPost, at+"/flere/liste", kind, body)
	got := findings(b.get(at).page(t)) // what a person would see through the window
	if !strings.Contains(got, "Det som står på adressens plass i filenKari, Nordmann, Storgata") || strings.Contains(got, "mottaker") {
		t.Errorf("got %q", got)
	}
	if got := findings(b.follow(t, at+"/flere/kontroll").page(t)); !strings.Contains(got, "Første side viser en adresse, og alle på listen får den samme filen") {
		t.Errorf("nobody is warned that all get a shipment to one: %q", got)
	}
}
