package handlers_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

func TestLogPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sent := s.queued(t, caseworker, message("Hei der"))
	other := s.queued(t, outsider, message("Hei på helse"))
	kari := s.browser(t, caseworker)
	kari.get("/k/oppvekst/sms/" + string(sent))
	lines := func(who, query string) string {
		return s.browser(t, who).get("/admin/logg" + query).page(t).Find("tbody").Text()
	}
	all := lines(systemAdmin, "")
	for _, want := range []string{"Sendte SMS", "Åpnet eget innhold", "Logget inn", "Kari Nordmann", "…" + string(sent)[32:], "…" + string(other)[32:]} {
		if !strings.Contains(all, want) {
			t.Errorf("the administrator does not see %q in %q", want, all)
		}
	}
	if of := lines(auditor, ""); !strings.Contains(of, "…"+string(sent)[32:]) || strings.Contains(of, "…"+string(other)[32:]) {
		t.Errorf("the auditor of oppvekst sees %q", of)
	}
	if of := lines(auditor, "?konto="+string(s.helse.Account.ID)); of != "" {
		t.Errorf("the auditor of oppvekst sees of helse: %q", of)
	}
	if of := lines(systemAdmin, "?type=content&id="+string(sent)); !strings.Contains(of, "Åpnet eget innhold") || strings.Contains(of, "Sendte SMS") {
		t.Errorf("filtered: %q", of)
	}
	for _, bad := range []string{"?fra=i+fjor", "?type=alt", "?fra=28.11.2026&til=27.11.2026", "?id=12", "?person=kari"} {
		if got := s.browser(t, systemAdmin).get("/admin/logg" + bad); got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("tbody tr").Length() != 0 ||
			!strings.Contains(got.page(t).Find("section[aria-labelledby=hendelser]").Text(), "Rett det som er feil i filteret") {
			t.Errorf("%s: got %d with lines: what cannot be asked for must not look as if nothing were there", bad, got.StatusCode)
		}
	}
}

// TestLogSaysWhatItLeavesOut: an auditor of some accounts is told which part of the log they see, and whether their own readings are
// in it, on the page and in the help.
func TestLogSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	read := func(who string) (head, help, lines string) {
		b := s.browser(t, who)
		b.get("/admin/logg")
		page := b.get("/admin/logg").page(t)
		return page.Find(".head").Text(), b.get("/hjelp").page(t).Find("main").Text(), page.Find("tbody").Text()
	}
	const own, elsewhere = "At du leser den, står også der.", "bare de som har tilgang til hele loggen, ser det"
	head, help, lines := read(auditor)
	if !strings.Contains(head, "Du ser hendelsene på kontoen Konto oppvekst.") || !strings.Contains(help, own) || !strings.Contains(lines, "Leste hendelsesloggen") {
		t.Errorf("the auditor of one account reads %q, %q and %q", head, help, lines)
	}
	if head, help, _ = read(systemAdmin); strings.Contains(head, "Du ser hendelsene") || !strings.Contains(help, own) && strings.Contains(help, "Hendelseslogg") {
		t.Errorf("the administrator reads %q and %q", head, help)
	}
	s.inBoth(t)
	head, help, _ = read(auditor)
	if !strings.Contains(head, "på kontoene Konto helse, Konto oppvekst.") || !strings.Contains(head, "at du selv leser loggen") || !strings.Contains(help, elsewhere) || strings.Contains(help, own) {
		t.Errorf("the auditor of two accounts reads %q and %q", head, help)
	}
}

// TestLogNamesIntegrations: a line about an integration shows its name. For administrators the name is a link.
func TestLogNamesIntegrations(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, in := range []dispatch.Integration{s.oppvekst.Integration, s.helse.Integration} {
		if err := s.store.Record(t.Context(), store.Audit{Actor: s.oppvekst.User, Action: "integration.certificate.save", Object: string(in.ID)}); err != nil {
			t.Fatal(err)
		}
	}
	page := s.browser(t, systemAdmin).get("/admin/logg?type=setup").page(t)
	for _, in := range []dispatch.Integration{s.oppvekst.Integration, s.helse.Integration} {
		if got := page.Find(`.log-object a[href="/admin/integrasjoner/` + string(in.ID) + `"]`).First().Text(); got != in.Name {
			t.Errorf("the line about %s says %q", in.Name, got)
		}
		all := page.Find(`.log-object a[href="/admin/logg?id=` + string(in.ID) + `"]`)
		if all.Length() == 0 {
			t.Errorf("no line about %s leads to all of them", in.Name)
		}
	}
	of := string(s.oppvekst.Integration.ID)
	if one := s.browser(t, systemAdmin).get("/admin/logg?id=" + of).page(t); one.Find(".log-object").Length() != 1 || one.Find(`.log-object a[href*="?id="]`).Length() != 0 {
		t.Error("all lines about one have others, or lead to where they are")
	}
}

// TestLogLeadsToJobs: lines about a bulk sending link to it, approvals included; lines about a deleted one do not.
func TestLogLeadsToJobs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	job, deleted := string(s.smsJobDraft(t)), uuid.NewString()
	for _, a := range []store.Audit{
		{Action: "approval.asked", Object: job}, {Action: "job.discard", Object: job}, {Action: "approval.asked", Object: deleted}, {Action: "job.discard", Object: deleted},
	} {
		a.Actor, a.Account = s.oppvekst.User, s.oppvekst.Account.ID
		if err := s.store.Record(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	for id, there := range map[string]bool{job: true, deleted: false} {
		page := s.browser(t, auditor).get("/admin/logg?id=" + id).page(t)
		links, lines := page.Find(`.log-object a[href="/k/oppvekst/jobber/`+id+`"]`).Length(), page.Find(".log-object").Length()
		if lines < 2 || there && links != lines || !there && links != 0 {
			t.Errorf("%d of %d lines about %s lead to it; it is there: %t", links, lines, id, there)
		}
	}
}

// TestLogNamesWhatIsGone: the lines of a deleted integration have the name that the log kept, and lead nowhere; one without is said to
// be deleted. The users in the details are named, in the file too.
func TestLogNamesWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	by := store.Actor{User: s.oppvekst.User}
	named, unknown := dispatch.IntegrationID(uuid.NewString()), dispatch.IntegrationID(uuid.NewString())
	for _, a := range []store.Audit{
		{Actor: by.User, Action: "integration.delete", Object: string(named), Details: by.Details("name", "Gammel SMS")},
		{Actor: by.User, Action: "integration.stop", Object: string(named)},
		{Actor: by.User, Action: "integration.stop", Object: string(unknown)},
		{Actor: by.User, Account: s.oppvekst.Account.ID, Action: "absence.set", Object: string(by.User), Details: by.Details("deputy", by.User)},
	} {
		if err := s.store.Record(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	page := s.browser(t, systemAdmin).get("/admin/logg?type=setup").page(t)
	var about []string
	page.Find("tbody .log-object").Each(func(_ int, cell *goquery.Selection) {
		if id, ok := cell.Find(".mono").Attr("title"); ok && (id == string(named) || id == string(unknown)) {
			about = append(about, strings.Join(strings.Fields(cell.Text()), " "))
			if cell.Find(`a[href*="/integrasjoner/"]`).Length() > 0 {
				t.Errorf("a line about a deleted integration leads to it")
			}
		}
	})
	for i, want := range []string{"En integrasjon som er slettet", "Gammel SMS Slettet", "Gammel SMS Slettet"} {
		if i >= len(about) || !strings.HasPrefix(about[i], want) {
			t.Fatalf("the lines are %q", about)
		}
	}
	var name string
	if err := s.store.DB.GetContext(t.Context(), &name, `SELECT name FROM users WHERE id = $1`, by.User); err != nil {
		t.Fatal(err)
	}
	if got := s.browser(t, systemAdmin).get("/admin/logg.csv?type=following").body; !strings.Contains(got, "Stedfortreder: "+name) {
		t.Errorf("the file does not name the deputy: %q", got)
	}
}

func TestLogIsVerified(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.queued(t, caseworker, message("Hei der"))
	nora := s.browser(t, systemAdmin)
	chain := func() string {
		t.Helper()
		if _, err := registry.In(s.store).Audit.Chain(t.Context(), time.Time{}); err != nil {
			t.Fatal(err)
		}
		return nora.post("/admin/logg/kontroller", nil).page(t).Find("#kontroll").Text()
	}
	if got := chain(); !strings.Contains(got, "Loggen er slik den ble skrevet") {
		t.Errorf("got %q", got)
	}
	s.run(t, `UPDATE audit_events SET origin = '' WHERE id = (SELECT audit_id FROM audit_chain WHERE position = 1)`)
	if got := chain(); !strings.Contains(got, "Plass 1") || strings.Contains(got, "er slik den ble skrevet") {
		t.Errorf("a changed line is told as %q", got)
	}
	lines, _, err := registry.In(s.store).Audit.List(t.Context(), dispatch.AuditScope{All: true}, dispatch.AuditFilter{Group: dispatch.AuditKeeping}, nil, 10)
	if err != nil || len(lines) < 2 || !slices.ContainsFunc(lines, func(l store.AuditLine) bool { return l.Action == "log.verify" && l.Details["failed"] == true }) {
		t.Errorf("the log says of it: %+v, %v", lines, err)
	}
}

func TestLogPageTellsWhoMayChangeIt(t *testing.T) {
	t.Parallel()
	for database, want := range map[string]bool{storetest.Database(t): false, storetest.Owner(storetest.Database(t)): true} {
		s := newSiteWith(t, siteOptions{database: database})
		if got := strings.Contains(s.browser(t, systemAdmin).get("/admin/logg").body, "Loggen er ikke beskyttet i databasen"); got != want {
			t.Errorf("got %t, want %t", got, want)
		}
	}
}

func TestLogExports(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const many = 1100 // more than one question of the store
	for range many {
		if err := s.store.Record(t.Context(), store.Audit{Actor: s.oppvekst.User, Account: s.oppvekst.Account.ID, Action: "list.search", Details: map[string]any{"person": true}}); err != nil {
			t.Fatal(err)
		}
	}
	per := s.browser(t, auditor)
	file := per.get("/admin/logg.jsonl?type=search")
	n := 0
	for lines := bufio.NewScanner(strings.NewReader(file.body)); lines.Scan(); n++ {
		var l map[string]any
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || l["action"] != "list.search" || l["account"] != "oppvekst" {
			t.Fatalf("line %d: %v, %v", n, l, err)
		}
	}
	if n != many || !strings.HasPrefix(file.Header.Get("Content-Type"), "application/jsonl") || !strings.Contains(file.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("got %d lines as %q", n, file.Header.Get("Content-Type"))
	}
	file = per.get("/admin/logg.csv?type=search")
	if got := strings.Count(file.body, "Søkte i lister"); got != many || !strings.Contains(file.body, "Etter en person: ja") {
		t.Errorf("got %d rows of CSV", got)
	}
	lines, _, err := registry.In(s.store).Audit.List(t.Context(), dispatch.AuditScope{All: true}, dispatch.AuditFilter{Group: dispatch.AuditExport}, nil, 10)
	if err != nil || len(lines) != 2 || lines[0].Details["format"] != "csv" || lines[1].Details["format"] != "jsonl" || lines[0].Account != s.oppvekst.Account.ID {
		t.Errorf("the log says of the exports: %+v, %v", lines, err)
	}
}
