package handlers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// TestListKeepsItselfFresh: a page polls its own rows; new ones are announced, and move none of them.
func TestListKeepsItselfFresh(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for i := range 60 {
		s.queued(t, caseworker, message(fmt.Sprintf("Melding %d", i)))
	}
	again := func(page *goquery.Document) *goquery.Document {
		return b.get(page.Find("#liste").AttrOr("data-live", ""), fragment("liste")...).page(t)
	}
	news := func(page *goquery.Document) string {
		return strings.TrimSpace(page.Find("#liste > p.panel-body").Text())
	}
	first := b.get("/k/oppvekst/sms").page(t)
	second := b.get(first.Find("a[rel=next]").AttrOr("href", "")).page(t)
	oldest := b.get("/k/oppvekst/sms?rekkefolge=eldste").page(t)
	same := func(t *testing.T, name string, page *goquery.Document) {
		t.Helper()
		part := again(page)
		if got, want := outer(t, part.Find("#liste")), outer(t, page.Find("#liste")); got != want {
			t.Errorf("%s: the part differs from what the page holds:\n%s\n%s", name, got, want)
		}
	}
	t.Run("nothing has happened", func(t *testing.T) {
		same(t, "the first page", first)
		same(t, "the second page", second)
		same(t, "the oldest first", oldest)
	})
	t.Run("something is new", func(t *testing.T) {
		for range 3 {
			s.queued(t, caseworker, message("Ny"))
		}
		part := again(first)
		if got := news(part); !strings.HasPrefix(got, "3 nye utsendinger.") {
			t.Errorf("got %q", got)
		}
		if got, want := strings.Join(rows(part), ","), strings.Join(rows(first), ","); got != want {
			t.Errorf("the rows have moved: %s", got)
		}
		if part.Find("a[rel=prev]").Length() != 1 {
			t.Error("nothing leads to what is newer")
		}
		same(t, "the second page", second)
		same(t, "the oldest first", oldest)
	})
	t.Run("a row changes", func(t *testing.T) {
		s.run(t, `UPDATE items SET state = 'accepted', status = 'LEVERT', status_at = now(), accepted_at = now() WHERE account_id = $1`, s.oppvekst.Account.ID)
		part := again(second)
		if got := part.Find("tbody tr").First().Text(); !strings.Contains(got, "Levert") {
			t.Errorf("got %q", got)
		}
		if after, has := part.Find("#liste").Attr("data-live-etter"); has {
			t.Errorf("what is settled is asked for again after %s seconds", after)
		}
	})
	t.Run("counts", func(t *testing.T) {
		part := b.get("/k/oppvekst/sms", fragment("grupper")...)
		if !strings.HasPrefix(strings.TrimSpace(part.body), "<nav") || !strings.Contains(part.body, "Kommet frem 63") {
			t.Errorf("got %q", part.body)
		}
	})
	t.Run("the number in the navigation", func(t *testing.T) {
		s.rejected(t, caseworker, message("Nei"))
		part := b.get("/k/oppvekst/oppfolging", fragment("merke")...)
		if !strings.HasPrefix(strings.TrimSpace(part.body), "<span") || !strings.Contains(part.body, ">1<") {
			t.Errorf("got %q", part.body)
		}
	})
	t.Run("does not keep the session alive", func(t *testing.T) {
		idle := s.browser(t, caseworker)
		t.Cleanup(func() { s.ahead.Store(0) })
		s.ahead.Store(int64(29 * time.Minute))
		for _, name := range []string{"liste", "grupper"} {
			if got := idle.get("/k/oppvekst/sms", fragment(name)...).StatusCode; got != 200 {
				t.Errorf("%s: got %d after 29 minutes", name, got)
			}
		}
		s.ahead.Store(int64(31 * time.Minute))
		if got := idle.get("/k/oppvekst/sms").StatusCode; got != 401 {
			t.Errorf("got %d after 31 minutes, want 401", got)
		}
	})
}

// TestJobsKeepThemselvesFresh: so does the list of jobs.
func TestJobsKeepThemselvesFresh(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.jobFor(t, "/k/oppvekst/jobber/:id")
	whole := b.get("/k/oppvekst/jobber").page(t)
	again := func() *goquery.Document {
		t.Helper()
		return b.get(whole.Find("#jobber").AttrOr("data-live", ""), fragment("jobber")...).page(t)
	}
	if got, want := outer(t, again().Find("#jobber")), outer(t, whole.Find("#jobber")); got != want || !strings.Contains(got, string(id)) {
		t.Errorf("the part differs from what the page holds:\n%s\n%s", got, want)
	}
	before := again().Find("tbody tr").Length()
	s.jobFor(t, "/k/oppvekst/jobber/:id")
	s.run(t, `UPDATE jobs SET state = 'stopped' WHERE id = $1`, id)
	part := again()
	if got := part.Find("tbody tr").Length(); got != before || !strings.Contains(part.Text(), "Det har kommet nye masseutsendinger.") {
		t.Errorf("got %d rows, want %d and a line about what is new: %s", got, before, part.Text())
	}
	if !strings.Contains(part.Find("tbody").Text(), "Stoppet") {
		t.Errorf("the row has not changed: %s", part.Text())
	}
}
