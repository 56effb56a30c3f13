package handlers_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/store/items"
)

// draftsOf are the rows of the page of drafts.
func draftsOf(t *testing.T, b *browser) (rows []string) {
	t.Helper()
	b.get("/k/oppvekst/utkast").page(t).Find("table tbody tr").Each(func(_ int, tr *goquery.Selection) { rows = append(rows, squeezed(tr)) })
	return rows
}

// newDraft opens a new shipment, and returns its address.
func newDraft(b *browser, pairs ...string) string {
	return b.post("/k/oppvekst/forsendelser/ny", fields(pairs...)).location()
}

// TestDraftComesWithWhatIsFilledIn: a new shipment that is opened and left is no draft in the list; it becomes one when something
// is filled in or uploaded, and says what it is also without a title.
func TestDraftComesWithWhatIsFilledIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := newDraft(b)
	untouched := func(change ...string) url.Values {
		form := heldForm(b.get(at).page(t))
		for name, values := range fields(change...) {
			form[name] = values
		}
		return form
	}
	for _, press := range []string{"", "lagre", "kontroll"} {
		if press != "" {
			b.post(at, untouched("neste", press))
		}
		if got := draftsOf(t, b); len(got) != 0 {
			t.Fatalf("untouched, after pressing %q: %q", press, got)
		}
	}
	if got := b.get("/k/oppvekst").page(t).Find("section[aria-labelledby=utkast] li").Length(); got != 0 {
		t.Errorf("the overview has %d", got)
	}
	b.post(at, untouched("neste", "lagre", "navn", "Ola Nordmann"))
	if got := draftsOf(t, b); len(got) != 1 || !strings.Contains(got[0], "Til Ola Nordmann") || !strings.Contains(got[0], "Ingen filer ennå") || !strings.Contains(got[0], "I dag kl.") || strings.Contains(got[0], "Uten tittel") {
		t.Errorf("with a recipient: %q", got)
	}
	s.listDraft(t, caseworker, "")
	if got := draftsOf(t, b); len(got) != 2 || !strings.Contains(got[0], "brev.pdf") {
		t.Errorf("with a file: %q", got)
	}
	s.listDraft(t, caseworker, "Vedtak om skyss")
	if got := draftsOf(t, b); len(got) != 3 || !strings.Contains(got[0], "Vedtak om skyss") || !strings.Contains(got[0], "brev.pdf") {
		t.Errorf("with a title: %q", got)
	}
}

// TestUntouchedDraftsAreBounded: of drafts that nothing was filled in, the oldest are deleted; others are kept.
func TestUntouchedDraftsAreBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	kept := newDraft(b)
	b.post(kept, typed("versjon", "1", "tittel", "Vedtak", "neste", "lagre"))
	for range 25 {
		newDraft(b)
	}
	as := s.as(t, caseworker)
	if open, err := items.In(s.store).TheirOpen(t.Context(), as.Account.ID, as.User); err != nil || open.Drafts != 1 {
		t.Errorf("%d drafts would be handed over, %v; want the filled in one", open.Drafts, err)
	}
	if n := countRows(t, s, `SELECT count(*) FROM items WHERE state = 'draft'`); n != 21 {
		t.Errorf("%d drafts, want the filled in one and 20", n)
	}
	if got := b.get(kept).StatusCode; got != 200 {
		t.Errorf("the filled in one: got %d", got)
	}
}

// TestDraftsOfAllKinds: an SMS that is typed and not looked over, and a list of recipients, stand among the drafts.
func TestDraftsOfAllKinds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	key := "6b1f7f0e-65a0-4d0c-9a53-5f8a1f5f0a11"
	b.post("/k/oppvekst/sms/ny/lagre", fields("nokkel", key, "mottaker", "telefonnummer", "telefonnummer", "900 00 123", "tekst", "Husk møtet"))
	rows := draftsOf(t, b)
	if len(rows) != 1 || !strings.Contains(rows[0], "Husk møtet") || !strings.Contains(rows[0], "••• •• 123") || !strings.Contains(rows[0], "Ikke sett over ennå") {
		t.Errorf("a typed SMS: %q", rows)
	}
	if got := b.get("/k/oppvekst/utkast").page(t).Find("tbody a").AttrOr("href", ""); got != "/k/oppvekst/sms/ny?skjema="+key {
		t.Errorf("it leads to %q", got)
	}
	kind, body := listForm("nokkel", "6b1f7f0e-65a0-4d0c-9a53-5f8a1f5f0a12", "liste", "Mobil\n90000101\n90000102\n")
	b.do("POST", "/k/oppvekst/sms/ny/flere", kind, body)
	if rows = draftsOf(t, b); len(rows) != 2 || !strings.Contains(rows[1], "Utkast uten melding") || !strings.Contains(rows[1], "Til 2 mottakere") {
		t.Errorf("a list: %q", rows)
	}
	if got := draftsOf(t, s.browser(t, teamLead)); len(got) != 0 {
		t.Errorf("a colleague sees %q", got)
	}
	if got := b.get("/k/oppvekst/utkast").page(t).Text(); strings.Contains(got, "90000123") || strings.Contains(got, "900 00 123") {
		t.Error("the number is shown in full")
	}
}
