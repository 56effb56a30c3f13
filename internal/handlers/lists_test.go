package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// TestPaging (keyset pagination): a list is paged by the key of its last row, in both directions, and every row
// appears once.
func TestPaging(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const n = 120
	for i := range n {
		s.queued(t, caseworker, message(fmt.Sprintf("Melding %d", i)))
	}
	var forth []string
	var pages []string
	for address := "/k/oppvekst/sms"; address != ""; {
		pages = append(pages, address)
		page := b.get(address).page(t)
		forth = append(forth, rows(page)...)
		address = page.Find(`a[rel=next]`).AttrOr("href", "")
	}
	if len(pages) != 3 || len(forth) != n {
		t.Fatalf("got %d rows on %d pages, want %d on 3", len(forth), len(pages), n)
	}
	for i, text := range forth {
		if want := fmt.Sprintf("Melding %d", n-1-i); text != want {
			t.Fatalf("row %d is %q, want %q", i, text, want)
		}
	}
	t.Run("leads back the same way", func(t *testing.T) {
		page := b.get(pages[2]).page(t)
		for i := 1; i >= 0; i-- {
			page = b.get(page.Find(`a[rel=prev]`).AttrOr("href", "")).page(t)
			if got := rows(page); !slices.Equal(got, forth[i*50:(i+1)*50]) {
				t.Errorf("page %d is not what it was on the way forth", i+1)
			}
		}
		if page.Find(`a[rel=prev]`).Length() != 0 {
			t.Error("there is something newer than the newest")
		}
	})
	t.Run("a link that leads nowhere says so", func(t *testing.T) {
		page := b.get(pages[0]).page(t)
		off := page.Find(`.keyset a[aria-disabled=true]`)
		if _, has := off.Attr("href"); off.Length() != 1 || has {
			t.Errorf("got %d of them, with an address: %t", off.Length(), has)
		}
	})
	t.Run("addresses hold a time and an id, nothing of the message", func(t *testing.T) {
		for _, address := range pages[1:] {
			_, cursor, _ := strings.Cut(address, "?eldre=")
			_, id, _ := strings.Cut(cursor, "_")
			if uuid.Validate(id) != nil {
				t.Errorf("got %q", address)
			}
		}
	})
	t.Run("a place that is none is the start", func(t *testing.T) {
		for _, cursor := range []string{"", "x", "1", "1_", "_" + uuid.NewString(), "x_" + uuid.NewString(), "1_x", "99999999999999999999_" + uuid.NewString()} {
			if got := rows(b.get("/k/oppvekst/sms?eldre=" + cursor).page(t)); len(got) != 50 || got[0] != forth[0] {
				t.Errorf("%q: got %d rows", cursor, len(got))
			}
		}
	})
	t.Run("a place beyond the end leads to the start", func(t *testing.T) {
		for _, address := range []string{"?eldre=1_" + uuid.NewString(), "?nyere=9999999999999999_" + uuid.NewString()} {
			if got := b.get("/k/oppvekst/sms" + address); got.StatusCode != http.StatusSeeOther || got.location() != "/k/oppvekst/sms" {
				t.Errorf("%s: got %d to %q", address, got.StatusCode, got.location())
			}
		}
	})
	t.Run("says what it shows", func(t *testing.T) {
		if got := b.get(pages[2]).page(t).Find(".listbar p").Text(); !strings.Contains(got, "Viser 20 SMS, ") || !strings.Contains(got, "Arket viser bare denne siden") {
			t.Errorf("got %q", got)
		}
	})
}

// TestOwnEndsAreStatuses: how an item ended that the service never had is chosen among the statuses, and stays chosen until another is.
func TestOwnEndsAreStatuses(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	stopped := s.queued(t, caseworker, message("Stoppet"))
	s.queued(t, caseworker, message("Venter"))
	s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, stopped)
	filters := func(status string) url.Values {
		return fields("filtre", "ja", "status", status, "sok", "")
	}
	to := b.post("/k/oppvekst/sok", filters("avbrutt")).location()
	page := b.get(to).page(t)
	if got := rows(page); !slices.Equal(got, []string{"Stoppet"}) {
		t.Fatalf("%s has %q", to, got)
	}
	if got := page.Find(`select[name=status] option[selected]`).Text(); got != "Stoppet" || page.Find(`.filters input[type=hidden][name=utfall]`).Length() != 0 {
		t.Errorf("chosen is %q; the form keeps %d outcomes", got, page.Find(`.filters input[type=hidden][name=utfall]`).Length())
	}
	if got := rows(b.get(b.post("/k/oppvekst/sok", filters("")).location()).page(t)); len(got) != 2 {
		t.Errorf("without a status, the list has %q", got)
	}
}

func rows(page *goquery.Document) (texts []string) {
	page.Find("tbody .main-link").Each(func(_ int, a *goquery.Selection) { texts = append(texts, a.Text()) })
	return texts
}

// TestWhatIsNotShown: texts and numbers are masked in every place that shows an SMS, for everybody who may see it.
func TestWhatIsNotShown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const phone, nationalID = "90000123", "12047800155"
	open := dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: phone}, Text: "Synlig tekst"}
	hidden := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: nationalID}, Text: "Skjult tekst", HideInReport: true}
	ids := []string{string(s.uncertain(t, caseworker, open)), string(s.uncertain(t, caseworker, hidden))}
	s.draft(t, caseworker, message("Utkastets tekst"))

	tests := []struct {
		who         string
		sees, never []string
	}{
		{caseworker, []string{"Synlig tekst", "Utkastets tekst", "Teksten er skjult"}, []string{"Skjult tekst"}},
		{teamLead, []string{"SMS til ••• •• 123"}, []string{"Synlig tekst", "Skjult tekst", "Utkastets tekst"}},
		{auditor, []string{"SMS til ••• •• 123"}, []string{"Synlig tekst", "Skjult tekst", "Utkastets tekst"}},
	}
	for _, test := range tests {
		t.Run(names[test.who], func(t *testing.T) {
			t.Parallel()
			b := s.browser(t, test.who)
			all := b.get("/k/oppvekst/sms").body + b.get("/k/oppvekst/sms/uavklart").body
			for _, id := range ids {
				all += b.get("/k/oppvekst/sms/"+id).body + b.get("/k/oppvekst/sms/"+id, fragment("sms")...).body +
					b.post("/k/oppvekst/sms/"+id+"/avgjor", fields()).body
			}
			for _, text := range append(test.never, phone, nationalID, "00155") {
				if strings.Contains(all, text) {
					t.Errorf("%q is shown", text)
				}
			}
			for _, text := range test.sees {
				if !strings.Contains(all, text) {
					t.Errorf("%q is not shown", text)
				}
			}
		})
	}
	t.Run("others' drafts are in no list", func(t *testing.T) {
		t.Parallel()
		if got := len(rows(s.browser(t, teamLead).get("/k/oppvekst/sms").page(t))); got != 2 {
			t.Errorf("the team lead sees %d rows, want 2", got)
		}
	})
}

// TestReveal: the whole number is shown to its sender, once, and logged.
func TestReveal(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	address := "/k/oppvekst/sms/" + string(s.accepted(t, caseworker, message("Hei der")))
	got := b.post(address+"/vis", fields())
	page := got.page(t)
	if number := strings.TrimSpace(page.Find("#nummer").Text()); got.StatusCode != http.StatusOK || number != "90000123" {
		t.Errorf("got %d %q", got.StatusCode, number)
	}
	if title := page.Find("title").Text(); strings.Contains(title, "90000123") {
		t.Errorf("the number stands in the title %q", title)
	}
	if strings.Contains(b.get(address).body, "90000123") || strings.Contains(b.get(address, fragment("sms")...).body, "90000123") {
		t.Error("the number is still shown when the page is asked for again")
	}
	if line := b.get(address).page(t).Find(".timeline-item").First().Text(); !strings.Contains(line, "Hele nummeret ble vist") || !strings.Contains(line, "Kari Nordmann") {
		t.Errorf("the timeline says %q", line)
	}
	if got := s.browser(t, teamLead).post(address+"/vis", fields()); got.StatusCode != http.StatusUnprocessableEntity || strings.Contains(got.body, "90000123") {
		t.Errorf("got %d for a team lead without a reason, want 422", got.StatusCode)
	}
}

// TestDaysInWrongOrder: a list of days in the wrong order says so, as does one of a day that there is not.
func TestDaysInWrongOrder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, path := range []string{"/k/oppvekst/utsendinger", "/k/oppvekst/sms", "/k/oppvekst/forsendelser"} {
		got := b.follow(t, path+"?fra=05.11.2026&til=01.11.2026")
		if ps := problems(t, got); ps["til"] != "Siste dag må ikke være før den første." {
			t.Errorf("%s: got %d %v", path, got.StatusCode, ps)
		}
		wantWords(t, got, "Rett det som er feil i filteret")
		got = b.follow(t, path+"?fra=31.02.2026")
		if ps := problems(t, got); ps["fra"] != "Den datoen finnes ikke. Se over dag og måned." {
			t.Errorf("%s: got %d %v", path, got.StatusCode, ps)
		}
	}
	posted := b.post("/k/oppvekst/sok", fields("filtre", "ja", "fra", "05.11.2026", "til", "01.11.2026"))
	if posted.location() != "" {
		posted = b.follow(t, posted.location())
	}
	if ps := problems(t, posted); ps["til"] == "" {
		t.Errorf("posted, it answers %d without a word", posted.StatusCode)
	}
}
