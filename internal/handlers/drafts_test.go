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
	if open, err := items.In(s.store).HandOvers.TheirOpen(t.Context(), as.Account.ID, as.User); err != nil || open.Drafts != 1 {
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

// TestReturnedInLists: what an approver returned is told from other drafts in every list, until it is asked about again.
func TestReturnedInLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	sms := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, message("Hei, Ola.")))
	job := "/k/oppvekst/jobber/" + string(s.smsJobDraft(t))
	many, _ := s.shipmentJob(t, true)
	toMany := "/k/oppvekst/utkast/" + string(many) + "/flere"
	s.seeParts(t, toMany)
	const by = "Returnert av Ingrid Lunde"
	for _, test := range []struct {
		name, draft string
		lists       []string
	}{
		{"an SMS", sms, []string{"/k/oppvekst/", "/k/oppvekst/utkast", "/k/oppvekst/utsendinger?gruppe=planlagt"}},
		{"an SMS to many", job, []string{"/k/oppvekst/", "/k/oppvekst/utkast", "/k/oppvekst/jobber", "/k/oppvekst/utsendinger?gruppe=planlagt"}},
		{"a shipment to many", toMany, []string{"/k/oppvekst/", "/k/oppvekst/utkast", "/k/oppvekst/jobber", "/k/oppvekst/utsendinger?gruppe=planlagt"}},
	} {
		told := func(path, words string) int { return strings.Count(kari.follow(t, path).page(t).Text(), words) }
		if err := s.askFor(t, test.draft); err != nil {
			t.Fatal(err)
		}
		for _, path := range test.lists {
			if told(path, "Venter på godkjenning") != 1 || told(path, by) != 0 {
				t.Errorf("%s in %s does not wait for approval", test.name, path)
			}
		}
		ingrid.post(waiting(t, ingrid)+"/returner", fields("merknad", "Møtet er torsdag."))
		for _, path := range test.lists {
			if told(path, "Venter på godkjenning") != 0 || told(path, by) != 1 {
				t.Errorf("%s in %s does not say that it was returned", test.name, path)
			}
		}
		if err := s.askFor(t, test.draft); err != nil {
			t.Fatal(err)
		}
		for _, path := range test.lists {
			if told(path, by) != 0 {
				t.Errorf("%s in %s was asked about again, and is said to be returned", test.name, path)
			}
		}
		s.run(t, `UPDATE approvals SET state = 'withdrawn', decided_by = asked_by, decided_at = now() WHERE state = 'waiting'`)
	}
}

// TestDraftsToMany: the draft of a shipment to several has one name in every list.
func TestDraftsToMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, title := range []string{"Vedtak", "Uten tittel"} {
		draft, job := s.shipmentJob(t, false)
		if title != "Vedtak" {
			s.run(t, `UPDATE shipments SET title = '' WHERE item_id = $1`, draft)
		}
		for path, link := range map[string]string{"/k/oppvekst/": "/k/oppvekst/utkast/" + string(draft), "/k/oppvekst/utkast": "/k/oppvekst/utkast/" + string(draft),
			"/k/oppvekst/jobber": "/k/oppvekst/jobber/" + string(job), "/k/oppvekst/utsendinger?gruppe=planlagt": "/k/oppvekst/forsendelser/" + string(draft)} {
			if got := strings.TrimSpace(b.follow(t, path).page(t).Find(`main a[href="` + link + `"]`).Text()); got != title+" – til 1 mottaker" {
				t.Errorf("%s: it is named %q", path, got)
			}
		}
	}
}
