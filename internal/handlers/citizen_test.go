package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

func TestCitizenReport(t *testing.T) {
	t.Parallel()
	const number = "12847800281" // synthetic
	s := newSite(t)
	sms := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: number}, Text: "Hei der"}
	sent, elsewhere := s.queued(t, caseworker, sms), s.queued(t, outsider, sms)
	s.queued(t, caseworker, message("Til en annen"))
	s.draft(t, caseworker, sms)
	kari := s.browser(t, caseworker)
	kari.get("/k/oppvekst/sms/" + string(sent))
	kari.post("/k/oppvekst/oppslag", fields("nokkel", uuid.NewString(), "numre", number, "formal", "Varsle om stengt skole"))
	ask := fields("q", number, "formal", "Innsynskrav")
	report := func(who string) string {
		t.Helper()
		a := s.browser(t, who).post("/admin/innsyn", ask)
		if a.StatusCode != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "no-store") {
			t.Fatalf("%s: got %d", who, a.StatusCode)
		}
		return a.page(t).Find("main").Text()
	}
	all := report(systemAdmin)
	for _, want := range []string{"Utsendinger til personen (2)", "Oppslag i kontaktregisteret (1)", "Varsle om stengt skole", "vist (1)", "Åpnet eget innhold", "Innsynskrav"} {
		if !strings.Contains(all, want) {
			t.Errorf("the administrator's report lacks %q: %q", want, all)
		}
	}
	if strings.Contains(all, number) || strings.Contains(all, "Hei der") {
		t.Error("the report tells the number, or content")
	}
	if of := report(auditor); !strings.Contains(of, "Utsendinger til personen (1)") {
		t.Errorf("the auditor of oppvekst sees what helse has sent: %q", of)
	}
	file := s.browser(t, auditor).post("/admin/innsyn", fields("q", number, "formal", "Innsynskrav", "som", "csv"))
	if !strings.Contains(file.Header.Get("Content-Type"), "text/csv") || !strings.Contains(file.body, string(sent)) || strings.Contains(file.body, string(elsewhere)) || strings.Contains(file.body, number) {
		t.Errorf("got the file %q", file.body)
	}
	for _, bad := range [][]string{{"q", number}, {"formal", "Innsynskrav"}, {"q", number, "formal", "Om " + number}, {"q", "12345678901", "formal", "Innsynskrav"}} {
		if a := s.browser(t, systemAdmin).post("/admin/innsyn", fields(bad...)); a.StatusCode != http.StatusUnprocessableEntity || a.page(t).Find("#rapport").Length() > 0 {
			t.Errorf("%q: got %d", bad, a.StatusCode)
		}
	}
	const mistyped = "12847800155" // its check digits do not fit: a list let it through
	through := s.queued(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: mistyped}, Text: "Hei der"})
	for som, want := range map[string]string{"": "Utsendinger til personen (1)", "csv": string(through)} {
		a := s.browser(t, systemAdmin).post("/admin/innsyn", fields("q", mistyped, "formal", "Kontroll av sifre", "som", som))
		if a.StatusCode != http.StatusOK || !strings.Contains(a.body, want) || !strings.Contains(a.body, "Kontrollsifrene i fødselsnummeret stemmer ikke.") {
			t.Errorf("%q: got %d of a mistyped number: %q", som, a.StatusCode, a.body)
		}
	}
	lines, _, err := registry.In(s.store).Audit.List(t.Context(), dispatch.AuditScope{All: true}, dispatch.AuditFilter{Group: dispatch.AuditSearch}, nil, 20)
	reports := 0
	for _, l := range lines {
		if l.Action == "citizen.report" && l.Details["purpose"] == "Innsynskrav" {
			reports++
		}
	}
	if err != nil || reports != 3 || strings.Contains(s.log.String(), number) {
		t.Errorf("the log tells of %d reports, %v", reports, err)
	}
}

func TestRetentionPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.accepted(t, caseworker, message("Hei der"))
	s.run(t, `UPDATE items SET created_at = now() - interval '40 days', accepted_at = now() - interval '40 days', status_at = NULL, next_check_at = NULL WHERE id = $1`, id)
	s.run(t, `UPDATE events SET at = now() - interval '40 days'`)
	nora := s.browser(t, systemAdmin)
	form := fields("drafts", "30", "content", "90", "identity", "365", "rows", "1095", "log", "1095")
	if goes := nora.get("/admin/oppbevaring").page(t).Find("tbody tr").Eq(1).Find("td").Last().Text(); goes != "0" {
		t.Errorf("%s go although they may stay", goes)
	}
	form.Set("versjon", nora.get("/admin/oppbevaring").page(t).Find("[name=versjon]").AttrOr("value", ""))
	form.Set("content", "30")
	form.Set("vis", "true")
	shown := nora.post("/admin/oppbevaring", form)
	wantWords(t, shown, "Ingenting er lagret ennå", "Innhold og filer: fra 90 til 30 dager. Ved første sletting etter godkjenning: 1.", "En kortere tid må godkjennes.")
	if kept := shown.page(t).Find("[name=content]").AttrOr("value", ""); shown.StatusCode != http.StatusOK || kept != "30" {
		t.Errorf("of what it would do: got %d, with %q in the form", shown.StatusCode, kept)
	}
	form.Set("content", "120")
	wantWords(t, nora.post("/admin/oppbevaring", form), "Innhold og filer: fra 90 til 120 dager. Slettes ved neste sletting: 0.", "Det gjelder fra neste sletting.")
	form.Del("vis")
	form.Set("content", "30")
	shorten(t, s, nora, form)
	form.Set("content", "90")
	form.Set("drafts", "60")
	late := nora.post("/admin/oppbevaring", form)
	wantWords(t, late, "Noen andre lagret mens du skrev")
	if late.StatusCode != http.StatusUnprocessableEntity || late.page(t).Find("[name=drafts]").AttrOr("value", "") != "60" {
		t.Errorf("got %d for what another administrator has changed meanwhile", late.StatusCode)
	}
	form.Set("versjon", late.page(t).Find("[name=versjon]").AttrOr("value", ""))
	form.Set("content", "30")
	form.Set("drafts", "30")
	if a := nora.post("/admin/oppbevaring", form); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d when it was looked over", a.StatusCode)
	}
	if goes := nora.get("/admin/oppbevaring").page(t).Find("tbody tr").Eq(1).Find("td").Last().Text(); goes != "1" {
		t.Errorf("%s go, want the one", goes)
	}
	wantWords(t, nora.get("/admin/oppbevaring"), "kontrolleres. 1 095 dager", "bare eieren av databasen", "Fra 365 til 3 650 dager. Vanlig er 1 095.")
	form.Set("content", "5000")
	refused := nora.post("/admin/oppbevaring", form)
	if refused.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d for too many days", refused.StatusCode)
	}
	if days := refused.page(t).Find("tbody tr").Eq(1).Find("td.num").First().Text(); days != "30 dager" {
		t.Errorf("the table of what goes says %s days, want those in force", days)
	}
	if s.browser(t, auditor).get("/admin/oppbevaring").page(t).Find("main form").Length() != 0 {
		t.Error("the auditor is offered to change it")
	}
	if says := problems(t, s.browser(t, teamLead).post("/k/oppvekst/sms/"+string(id)+"/behold", fields()))["formal"]; says != "Skriv en begrunnelse." {
		t.Errorf("without a reason it says %q", says)
	}
	if a := s.browser(t, teamLead).post("/k/oppvekst/sms/"+string(id)+"/behold", fields("formal", "Klagesak")); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", a.StatusCode)
	}
	if got := s.browser(t, teamLead).get("/k/oppvekst/sms/" + string(id)).page(t).Find("main").Text(); !strings.Contains(got, "Skal beholdes: ") || !strings.Contains(got, "La utsendingen slettes") {
		t.Errorf("the item does not say that it is kept, or still offers to keep it: %q", got)
	}
	if h := s.browser(t, teamLead).get("/k/oppvekst/sms/" + string(id) + "/behold").page(t).Find("h1").Text(); h != "Utsendingen skal beholdes" {
		t.Errorf("the page of what is kept is called %q", h)
	}
	if goes := nora.get("/admin/oppbevaring").page(t).Find("tbody tr").Eq(1).Find("td").Last().Text(); goes != "0" {
		t.Errorf("%s go although it is kept", goes)
	}
	s.run(t, `UPDATE sms SET text = NULL WHERE item_id = $1`, id)
	wantWords(t, s.browser(t, teamLead).get("/k/oppvekst/sms/"+string(id)+"/behold"), "Innholdet er allerede slettet")
	page := s.browser(t, caseworker).get("/k/oppvekst/sms/" + string(id))
	if page.StatusCode != http.StatusOK || !strings.Contains(page.body, "Innholdet er slettet") {
		t.Errorf("got %d of a purged SMS", page.StatusCode)
	}
	if list := s.browser(t, caseworker).get("/k/oppvekst/sms"); list.StatusCode != http.StatusOK || !strings.Contains(list.body, "Innholdet er slettet") {
		t.Errorf("got %d of the list", list.StatusCode)
	}
}

// TestHeldItems: the page of retention counts and lists items under legal hold. Users who may see an item get a link to it. An auditor
// sees the audited accounts only, and no reason for an item to a protected person.
func TestHeldItems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	per, nora := s.browser(t, auditor), s.browser(t, systemAdmin)
	held := func(b *browser) *goquery.Selection {
		return b.get("/admin/oppbevaring").page(t).Find("section:has(#holdt)")
	}
	if of := held(per).Text(); !strings.Contains(of, "Utsendinger som skal beholdes (0)") || !strings.Contains(of, "Ingen har bestemt") {
		t.Errorf("with nothing held it says %q", of)
	}
	const number = "12847800281" // synthetic
	sms, protected := s.queued(t, caseworker, message("Hei der")), s.queued(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: number}, Text: "Hei der"})
	for _, id := range []dispatch.ItemID{sms, protected} {
		if got := per.post("/k/oppvekst/sms/"+string(id)+"/behold", fields("formal", "Klagesak "+string(id)[:8])); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
	}
	elsewhere := s.queued(t, outsider, message("Hei på helse"))
	if err := registry.In(s.store).Holds.Retain(t.Context(), s.helse.Account.ID, elsewhere, "Tilsyn", s.helse.Actor); err != nil {
		t.Fatal(err)
	}
	s.browser(t, teamLead)
	s.protect(t, number, "")
	of := held(per)
	if text := of.Text(); !strings.Contains(text, "(2)") || !strings.Contains(text, "Per Strand") || strings.Contains(text, "Tilsyn") || strings.Count(text, "Klagesak") != 1 || !strings.Contains(text, "skjermet person") {
		t.Errorf("the auditor of oppvekst reads %q", text)
	}
	if of.Find(`a[href="/k/oppvekst/sms/`+string(sms)+`"]`).Length() != 1 || of.Find("td.cell-main a").Length() != 1 {
		t.Error("it does not lead to the item, or leads to the one that is hidden")
	}
	if of.Find(`a[href="/k/oppvekst/utsendinger?beholdes=ja"]`).Length() != 2 {
		t.Error("it does not lead to the account's list of them")
	}
	of = held(nora)
	if text := of.Text(); !strings.Contains(text, "(3)") || !strings.Contains(text, "Tilsyn") || of.Find("tbody a").Length() != 0 {
		t.Errorf("the administrator, who sees no items, reads %q", text)
	}
	per.post("/k/oppvekst/sms/"+string(sms)+"/behold", fields("formal", "Saken er avsluttet", "slipp", "true"))
	if text := held(per).Text(); !strings.Contains(text, "(1)") {
		t.Errorf("after a release it says %q", text)
	}
}

// TestListOfHeldItems: who may decide that items are kept can list those of the account; others are not offered that, and are refused.
func TestListOfHeldItems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kept := s.queued(t, caseworker, message("Klagen din"))
	s.queued(t, caseworker, message("Noe annet"))
	as := s.as(t, caseworker)
	if err := registry.In(s.store).Holds.Retain(t.Context(), as.Account.ID, kept, "Klagesak", as.Actor); err != nil {
		t.Fatal(err)
	}
	const held = "utsendinger?beholdes=ja"
	for _, who := range []string{teamLead, auditor} {
		b := s.browser(t, who)
		if b.get("/k/oppvekst/utsendinger").page(t).Find(`.filter-more input[name="beholdes"]`).Length() != 1 {
			t.Errorf("%s is not offered the filter", who)
		}
		for _, list := range []string{held, "sms?beholdes=ja", held + "&gruppe=behandling", held + "&status=overlevert"} {
			page := b.get("/k/oppvekst/" + list).page(t)
			rows, want := page.Find("#liste tbody tr"), 1
			if strings.HasSuffix(list, "overlevert") {
				want = 0
			}
			if rows.Length() != want || want == 1 && rows.Find(`a[href$="`+string(kept)+`"]`).Length() == 0 {
				t.Errorf("%s sees %d rows of %s", who, rows.Length(), list)
			}
		}
		wantWords(t, b.get("/k/oppvekst/"+held), "Skal beholdes")
		if got := b.post("/k/oppvekst/sok", fields("filtre", "ja", "beholdes", "ja")).location(); got != "/k/oppvekst/"+held {
			t.Errorf("the form leads %s to %q", who, got)
		}
	}
	b := s.browser(t, caseworker)
	if b.get("/k/oppvekst/utsendinger").page(t).Find(`input[name="beholdes"]`).Length() != 0 {
		t.Error("a caseworker is offered the filter")
	}
	if got := b.get("/k/oppvekst/" + held); got.StatusCode != http.StatusForbidden {
		t.Errorf("a caseworker gets %d", got.StatusCode)
	}
}

// shorten has two administrators shorten the retention, which first is told what goes.
func shorten(t *testing.T, s *site, nora *browser, form url.Values) {
	t.Helper()
	tor := s.secondAdmin(t)
	asks := nora.post("/admin/oppbevaring", form)
	wantWords(t, asks, "Kort ned oppbevaringstiden", "Innhold og filer: fra 90 til 30 dager. Ved første sletting etter godkjenning: 1.", "Be en annen administrator godkjenne")
	again := heldForm(asks.page(t))
	if got := nora.post("/admin/oppbevaring", again); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["begrunnelse"] != "Skriv hvorfor." {
		t.Errorf("without a reason: got %d", got.StatusCode)
	}
	again.Set("begrunnelse", "Vedtak i ledergruppen")
	if got := nora.post("/admin/oppbevaring", again); got.location() != "/admin/godkjenning" {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	wantWords(t, nora.get("/admin/oppbevaring"), "Kortere tider venter på at en annen administrator godkjenner dem.")
	if days := nora.get("/admin/oppbevaring").page(t).Find("tbody tr").Eq(1).Find("td.num").First().Text(); days != "90 dager" {
		t.Errorf("one administrator alone has shortened it to %s days", days)
	}
	page := tor.get("/admin/godkjenning").page(t)
	if text := page.Find("main").Text(); !strings.Contains(text, "Innhold og filer: fra 90 til 30 dager. Ved første sletting etter godkjenning: 1.") || !strings.Contains(text, "kan ikke hentes tilbake") || !strings.Contains(text, "Vedtak i ledergruppen") {
		t.Errorf("the other administrator reads %q", text)
	}
	if got := tor.post(page.Find(`form[action$="/godkjenn"]`).AttrOr("action", ""), fields()); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
}

// TestCitizenReportIsComplete: the report tells when each item was sent, if it was, and counts every use of the number that the
// event log knows: a look at what the recipient of a draft was sent, everything sent to one recipient, and earlier reports.
func TestCitizenReportIsComplete(t *testing.T) {
	t.Parallel()
	const number = "12847800281" // synthetic
	s := newSite(t)
	sms := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: number}, Text: "Hei der"}
	sent := s.accepted(t, caseworker, sms)
	s.run(t, `UPDATE items SET created_at = '2026-03-02 08:00:00Z', accepted_at = '2026-03-03 09:10:11Z' WHERE id = $1`, sent)
	s.queued(t, caseworker, sms)
	stopped, lost := s.queued(t, caseworker, sms), s.queued(t, caseworker, sms)
	s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, stopped)
	s.run(t, `UPDATE items SET state = 'uncertain', reason_key = 'reason.died', reason_at = now() WHERE id = $1`, lost)
	b := s.browser(t, caseworker)
	if got := b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, sms)) + "/kontroll"); got.StatusCode != http.StatusOK {
		t.Fatalf("got %d of the review", got.StatusCode)
	}
	b.post("/k/oppvekst/sms/"+string(sent)+"/person", fields("formal", "Svare på en klage"))
	ask := func(who, why, format string) answer {
		return s.browser(t, who).post("/admin/innsyn", fields("q", number, "formal", why, "som", format))
	}
	first := ask(auditor, "Første krav", "")
	wantWords(t, first, "Søk etter nummeret og tidligere rapporter (2)", "Så hva mottakeren av et utkast har fått samme dag", "Så alt som er sendt til én mottaker")
	all := ask(systemAdmin, "Andre krav", "")
	wantWords(t, all, "Utsendinger til personen (4)", "03.03.2026 kl. 10.10.11", "Ikke sendt ennå", "Ikke bekreftet sendt", "Ikke sendt Konto oppvekst SMS Stoppet", "tidligere rapporter (3)", "Første krav")
	wantWords(t, ask(systemAdmin, "Tredje krav", ""), "tidligere rapporter (4)", "Andre krav", "Flere kontoer")
	if of := ask(auditor, "Fjerde krav", ""); strings.Contains(of.body, "Andre krav") {
		t.Error("the auditor of one account is told of a report on all")
	}
	if file := ask(systemAdmin, "Femte krav", "csv"); !strings.Contains(file.body, "03.03.2026 10.10.11") || !strings.Contains(file.body, "Andre krav") {
		t.Errorf("got the file %q", file.body)
	}
}
