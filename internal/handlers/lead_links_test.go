package handlers_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/seeds"
)

// TestLeadLinks: every number on the team lead's page links to a list with as many rows.
func TestLeadLinks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.sendsOfEveryOutcome(t)
	b := s.browser(t, teamLead)
	seen := map[string]int{}
	for path, n := range numbers(t, b.get("/k/oppvekst/ledelse?periode=7").page(t)) {
		if got := b.rowsOf(t, path); got != n {
			t.Errorf("%s: %d rows, and the page says %d", path, got, n)
		}
		for _, pair := range strings.Split(path[strings.Index(path, "?")+1:], "&") {
			name, value, _ := strings.Cut(pair, "=")
			seen[name]++
			seen[name+"="+value]++
		}
	}
	for path, n := range numbers(t, b.get("/k/oppvekst/ledelse?periode=i-dag&mot=for").page(t)) {
		if got := b.rowsOf(t, path); got != n {
			t.Errorf("compared: %s: %d rows, and the page says %d", path, got, n)
		}
	}
	year := b.get("/k/oppvekst/ledelse?periode=egen&mot=i-fjor&fra=" + time.Now().AddDate(0, -11, 0).Format("02.01.2006") + "&til=" + time.Now().Format("02.01.2006")).page(t)
	if weeks := year.Find("#dager").Closest("section").Find("tbody tr").Length(); weeks < 47 || weeks > 50 {
		t.Errorf("eleven months are %d rows", weeks)
	}
	for path, n := range numbers(t, year) {
		if strings.Contains(path, "kanal=forsendelse") && strings.Contains(path, "fra=") {
			if got := b.rowsOf(t, path); got != n {
				t.Errorf("by weeks: %s: %d rows, and the page says %d", path, got, n)
			}
		}
	}
	for _, one := range []string{
		"utfall=venter", "utfall=uten-status", "utfall=stoppet", "utfall=ga-opp", "utfall=avbrutt", "gruppe=uavklart", "gruppe=fremme", "gruppe=stoppet",
		"vei=digitalt", "vei=papir", "vei=uavklart", "mal", "avsender", "konteringskode", "status=AVVIST", "status=NY_VERDI",
		"lest=1", "lest=2", "lest=6", "signert=1", "signert=3", "signering", "kanal=sms",
	} {
		if seen[one] == 0 {
			t.Errorf("no number is of %s", one)
		}
	}
}

// numbers are the numbers of the page with where they lead.
func numbers(t *testing.T, page *goquery.Document) map[string]int {
	t.Helper()
	found := map[string]int{}
	page.Find("main .figures a, main table a").Each(func(_ int, a *goquery.Selection) {
		text := strings.ReplaceAll(strings.TrimSpace(a.Text()), "\u00a0", "")
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Errorf("%q is no number", a.Text())
		}
		path := a.AttrOr("href", "")
		if before, ok := found[path]; ok && before != n {
			t.Errorf("%s is %d and %d", path, before, n)
		}
		found[path] = n
	})
	page.Find("main td.num").Each(func(_ int, cell *goquery.Selection) {
		text := strings.TrimSpace(cell.Text())
		_, unlisted := cell.Attr("data-uten-liste")
		if cell.Find("a, .muted").Length() == 0 && !strings.HasSuffix(text, "%") && !strings.HasSuffix(text, "kr") && !unlisted {
			t.Errorf("%q leads nowhere", text)
		}
	})
	return found
}

// rowsOf counts the rows of a list, all its pages.
func (b *browser) rowsOf(t *testing.T, path string) (n int) {
	t.Helper()
	for path != "" {
		page := b.get(path).page(t)
		n += page.Find("main tbody tr").Length()
		path = page.Find("a[rel=next]").AttrOr("href", "")
	}
	return n
}

// sendsOfEveryOutcome puts items of the last days into the account: of two people of one name, in every state and status,
// read and signed after all kinds of times, some from a template.
func (s *site) sendsOfEveryOutcome(t *testing.T) {
	t.Helper()
	other, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: "kari-2", Name: names[caseworker]})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	next := seeds.Items(300, []dispatch.UserID{s.as(t, caseworker).User, other}, now)
	made := 0
	err = items.In(s.store).Filler.Fill(t.Context(), s.oppvekst.Account.ID, func() (items.Filled, bool) {
		f, more := next()
		f.At = now.Add(-time.Duration(made%9) * 23 * time.Hour)
		made++
		return f, more
	})
	if err != nil {
		t.Fatal(err)
	}
	s.changeEach(t, "shipment", []string{
		`status = 'VARSLET'`, `status = 'SENDT_PRINT'`, `status = 'AVVIST'`, `status = 'NY_VERDI'`, `status = 'LEVERT_SDP'`, `status = 'LEST'`,
		`status = 'LEST', status_at = accepted_at + interval '2 hours'`, `status = 'LEST', status_at = accepted_at + interval '9 days'`,
		`status = ''`, `state = 'rejected', status = ''`, `state = 'failed', status = ''`, `state = 'uncertain', status = ''`, `state = 'cancelled'`,
	})
	s.changeEach(t, "sms", []string{
		`status = 'SENDT'`, `status = 'IKKE_LEVERT'`, `status = '', upstream_id = NULL`, `status = ''`, `state = 'uncertain', status = ''`,
		`state = 'queued', status = '', due_at = now(), due_since = now()`, `state = 'queued', status = '', due_at = now() + interval '1 day', due_since = now() + interval '1 day'`,
	})
	s.run(t, `UPDATE shipments SET sign_by = now(), signing_status = 'SIGNERT_AV_MOTTAKER', signing_at = created_at + abs(hashtext(item_id::text)) % 20 * interval '1 hour'
		WHERE account_id = $1 AND abs(hashtext(item_id::text)) % 3 = 0
		  AND EXISTS (SELECT FROM items it WHERE it.id = item_id AND it.accepted_at IS NOT NULL)`, s.oppvekst.Account.ID) // only what was handed over is signed
	template := dispatch.TemplateID(uuid.NewString())
	lead := s.as(t, teamLead)
	if err := items.In(s.store).Templates.Create(t.Context(), lead.Account.ID, template, lead.Actor, dispatch.TemplateContent{Name: "Timen", Text: "Husk timen."}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		m := message(fmt.Sprint("Husk timen ", i))
		m.Template = dispatch.TemplateUse{ID: template, Version: 1, Form: "nb"}
		s.queued(t, teamLead, m)
	}
	s.draft(t, teamLead, message("Utkast"))
	s.rejected(t, outsider, message("Andres"))
}

// changeEach gives each item of a kind one of some changes.
func (s *site) changeEach(t *testing.T, kind string, changes []string) {
	t.Helper()
	for i, change := range changes {
		s.run(t, `UPDATE items SET `+change+` WHERE account_id = $1 AND kind = $2 AND abs(hashtext(id::text)) % $3 = $4`, s.oppvekst.Account.ID, kind, len(changes), i)
	}
}
