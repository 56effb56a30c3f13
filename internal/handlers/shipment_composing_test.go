package handlers_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// shipmentForm is a valid form.
func shipmentForm(title string) dispatch.DraftFields {
	return dispatch.DraftFields{
		RecipientKind: compose.KindPerson, Number: "12047800155", Name: "Ola Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer",
		Country: "Norge", Title: title, SourceSystem: "Utsending", Duplex: true,
	}
}

// listDraft stores a complete draft of a person's, with one file.
func (s *site) listDraft(t *testing.T, who, title string) (dispatch.ItemID, dispatch.DocumentID) {
	t.Helper()
	return s.listDraftOf(t, who, title, nil)
}

// listDraftOf stores a draft whose file has this reading.
func (s *site) listDraftOf(t *testing.T, who, title string, reading *dispatch.FileReading) (dispatch.ItemID, dispatch.DocumentID) {
	t.Helper()
	as := s.as(t, who)
	id, err := items.In(s.store).Drafts.Create(t.Context(), as.Account.ID, as.Actor, uuid.NewString(), shipmentForm(title))
	if err != nil {
		t.Fatal(err)
	}
	d, err := items.In(s.store).Documents.Add(t.Context(), items.Upload{
		Account: as.Account.ID, Item: id, User: as.User, FileName: "brev.pdf", Content: strings.NewReader("%PDF-1.7"),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 2, Reading: reading}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return id, d.ID
}

// shipment stores a shipment that a person has sent.
func (s *site) shipment(t *testing.T, who, title string) dispatch.ItemID {
	t.Helper()
	as := s.as(t, who)
	id, _ := s.listDraft(t, who, title)
	documents, err := s.store.Documents(t.Context(), as.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	content, problems := shipmentForm(title).Parse(dispatch.V1, documents, s.now())
	if len(problems) > 0 {
		t.Fatalf("the shipment has problems: %v", problems)
	}
	if err := items.In(s.store).Drafts.Queue(t.Context(), as.Account, id, as.Actor, 1, content); err != nil {
		t.Fatal(err)
	}
	return id
}

// shipmentAddress fills in the path of a route of shipments: a shipment of the caseworker's, made for this request only.
func (s *site) shipmentAddress(t *testing.T, path string) string {
	t.Helper()
	if strings.Contains(path, "/forsendelser/:id") {
		id := s.shipment(t, caseworker, "Vedtak")
		return strings.NewReplacer(":id", string(id), ":dokument", string(s.filesOf(t, id)[0].ID)).Replace(path)
	}
	id, document := s.listDraft(t, caseworker, "Vedtak")
	return strings.NewReplacer(":id", string(id), ":dokument", string(document), ":side", "1").Replace(path)
}

// filesOf are the files of a shipment of the caseworker's.
func (s *site) filesOf(t *testing.T, id dispatch.ItemID) []dispatch.Document {
	t.Helper()
	documents, err := s.store.Documents(t.Context(), s.oppvekst.Account.ID, id)
	if err != nil || len(documents) == 0 {
		t.Fatalf("got %d files, %v", len(documents), err)
	}
	return documents
}

// TestForeignShipments: another account's object, or another person's draft, is not found.
func TestForeignShipments(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	sent := func(who string) func(*testing.T) (dispatch.ItemID, dispatch.DocumentID) {
		return func(t *testing.T) (dispatch.ItemID, dispatch.DocumentID) {
			return s.shipment(t, who, "Hemmelig"), dispatch.DocumentID(uuid.NewString())
		}
	}
	draft := func(who string) func(*testing.T) (dispatch.ItemID, dispatch.DocumentID) {
		return func(t *testing.T) (dispatch.ItemID, dispatch.DocumentID) { return s.listDraft(t, who, "Hemmelig") }
	}
	named := func(id string) func(*testing.T) (dispatch.ItemID, dispatch.DocumentID) {
		return func(*testing.T) (dispatch.ItemID, dispatch.DocumentID) {
			return dispatch.ItemID(id), dispatch.DocumentID(id)
		}
	}
	tests := []struct {
		name string
		b    *browser
		id   func(t *testing.T) (dispatch.ItemID, dispatch.DocumentID)
	}{
		{"another account's shipment", own, sent(outsider)},
		{"another account's draft", own, draft(outsider)},
		{"another person's draft", lead, draft(caseworker)},
		{"an id that nothing has", own, named(uuid.NewString())},
		{"an id that is none", own, named("1")},
		{"an id with a zero byte", own, named("%00")},
		{"an SMS", own, func(t *testing.T) (dispatch.ItemID, dispatch.DocumentID) {
			return s.queued(t, caseworker, message("Hemmelig")), "x"
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range table {
				if !ofShipment(r) {
					continue
				}
				id, document := test.id(t)
				address := strings.NewReplacer(":konto", "oppvekst", ":id", string(id), ":dokument", string(document), ":side", "1").Replace(r.path)
				got := r.by(test.b, lead).do(r.method, address, formType, whole().Encode())
				if got.StatusCode != http.StatusNotFound || strings.Contains(got.body, "Hemmelig") {
					t.Errorf("%s %s: got %d, want 404 and no word of it", r.method, r.path, got.StatusCode)
				}
			}
		})
	}
	t.Run("a file of another draft", func(t *testing.T) {
		_, foreign := s.listDraft(t, outsider, "Hemmelig")
		for _, document := range []string{string(foreign), uuid.NewString(), "1", "%00"} {
			for _, act := range []string{"opp", "ned", "fjern"} {
				id, _ := s.listDraft(t, caseworker, "Vedtak")
				got := own.post("/k/oppvekst/utkast/"+string(id)+"/dokumenter/"+document+"/"+act, whole())
				if got.StatusCode != http.StatusNotFound {
					t.Errorf("%s of %q: got %d, want 404", act, document, got.StatusCode)
				}
			}
		}
	})
}

// TestStaleDraft: the second of two tabs is told, and nothing that was saved is lost.
func TestStaleDraft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	if got := b.post(base, fields("versjon", "1", "tittel", "Første fane")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d from the first tab, want 303", got.StatusCode)
	}
	for _, path := range []string{"", "/send", "/dokumenter/" + string(document) + "/fjern"} {
		got := b.led(t, b.post(base+path, fields("versjon", "1", "tittel", "Andre fane")))
		if got.StatusCode != http.StatusConflict && got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%q: got %d from the second tab, want 409", path, got.StatusCode)
		}
		if got.StatusCode == http.StatusConflict && got.page(t).Find(`main a[href="`+base+`"]`).Length() == 0 {
			t.Errorf("%q: the page does not lead to the draft", path)
		}
	}
	if got := b.get(base).page(t).Find("[name=tittel]").AttrOr("value", ""); got != "Første fane" {
		t.Errorf("the draft is now %q", got)
	}
	if got := b.post(base, fields("tittel", "Uten versjon")).StatusCode; got != http.StatusBadRequest {
		t.Errorf("got %d without a version, want 400", got)
	}
}

// TestReviewOfShipmentHasItAll: the review has the file's link once, a button that deletes the draft, and numbers in groups; the form
// calls the delivery ready when it is known who gets it.
func TestReviewOfShipmentHasItAll(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(id)
	page := b.get(at + "/kontroll").page(t)
	if n := page.Find(`main a[href="` + at + "/dokumenter/" + string(document) + `"]`).Length(); n != 1 {
		t.Errorf("the link to the file stands %d times", n)
	}
	if got := squeezed(page.Find("main")); !strings.Contains(got, "Fødselsnummer 120478 00155.") {
		t.Errorf("the number is not in groups: %s", got)
	}
	if got := squeezed(page.Find(`details:has(form[action="` + at + `/forkast"])`)); got != "Slett utkastetDet du har skrevet, og filene du har lastet opp, slettes. Det kan ikke angres.Ja, slett utkastet" {
		t.Errorf("the draft is deleted by %q", got)
	}
	b.post(at+"/forkast", fields())
	if got := b.get(at).StatusCode; got != http.StatusNotFound {
		t.Errorf("deleted, it answers %d", got)
	}
	delivery := func(at string) string {
		return squeezed(b.get(at).page(t).Find("#stand .sum li").Eq(2).Find(".ds-sr-only"))
	}
	empty := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	b.post(empty, fields("versjon", "1", "avgivende", "Utsending", "neste", "lagre"))
	if got := delivery(empty); got != ": avhenger av mottakeren" {
		t.Errorf("without a recipient, delivery is %q", got)
	}
	whole, _ := s.listDraft(t, caseworker, "Vedtak")
	if got := delivery("/k/oppvekst/utkast/" + string(whole)); got != ": klar" {
		t.Errorf("with a recipient, delivery is %q", got)
	}
}
