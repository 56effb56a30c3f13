package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// follows reads a list page by page by its links, from an address on.
func (b *browser) follows(address string) (titles []string) {
	for range 20 {
		page := b.get(address).page(b.t)
		titles = append(titles, rows(page)...)
		if address = page.Find("a[rel=next]").AttrOr("href", ""); address == "" {
			break
		}
	}
	return titles
}

// heads are the links in a table's head, by their words.
func heads(page *goquery.Document) map[string]string {
	links := map[string]string{}
	page.Find("thead a").Each(func(_ int, a *goquery.Selection) { links[strings.TrimSpace(a.Text())] = a.AttrOr("href", "") })
	return links
}

// TestListOrder: the heads of columns sort a list; its filters and pages keep the order, and what is no order is the usual one.
func TestListOrder(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	var want []string
	for i := range 60 {
		title := fmt.Sprintf("Vedtak %02d", (i*37)%60)
		s.shipment(t, caseworker, title)
		want = append(want, title)
	}
	usual := b.follows("/k/oppvekst/forsendelser")
	slices.Sort(want)

	page := b.get("/k/oppvekst/forsendelser?konteringskode=").page(t)
	if sorted := page.Find("th[aria-sort]"); sorted.Length() != 1 || sorted.AttrOr("aria-sort", "") != "descending" || strings.TrimSpace(sorted.Text()) != "Dato" {
		t.Errorf("the usual list is sorted by %q", sorted.Text())
	}
	filtered := b.get("/k/oppvekst/forsendelser?gruppe=behandling").page(t)
	title := heads(filtered)["Tittel"]
	if !strings.Contains(title, "gruppe=behandling") {
		t.Errorf("the head of the column leads to %q, without the filter", title)
	}
	if got := b.follows(title); !slices.Equal(got, want) {
		t.Errorf("by title: %q", got)
	}
	turned := b.get(title).page(t)
	if sorted := turned.Find("th[aria-sort]"); sorted.Length() != 1 || sorted.AttrOr("aria-sort", "") != "ascending" || !strings.Contains(sorted.Text(), "Tittel") {
		t.Errorf("sorted by %q", sorted.Text())
	}
	for name, value := range map[string]string{"gruppe": "behandling", "rekkefolge": "tittel"} {
		if got := turned.Find(`form[role=search] input[name="`+name+`"]`).AttrOr("value", ""); got != value {
			t.Errorf("the filters' form keeps %q as %s", got, name)
		}
	}
	slices.Reverse(want)
	if got := b.follows(heads(turned)["Tittel"]); !slices.Equal(got, want) {
		t.Errorf("by title, turned round: %q", got)
	}
	second := turned.Find("a[rel=next]").AttrOr("href", "")
	if strings.Contains(second, "Vedtak") || b.get(b.get(second).page(t).Find("a[rel=prev]").AttrOr("href", "")).StatusCode != http.StatusOK {
		t.Errorf("the next page is %q", second)
	}
	live := turned.Find("#liste").AttrOr("data-live", "")
	if got := rows(b.get(live, "X-Del", "liste").page(t)); !slices.Equal(got, rows(turned)) {
		t.Errorf("the page refreshes itself with %d other rows", len(got))
	}
	for _, order := range []string{"status", "status-omvendt", "avsender", "avsender-omvendt", "mottaker", "mottaker-omvendt", "referanse", "referanse-omvendt", "eldste"} {
		got := b.follows("/k/oppvekst/forsendelser?rekkefolge=" + order)
		slices.Sort(got)
		slices.Reverse(got)
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %d rows", order, len(got))
		}
	}
	for _, bad := range []string{"x", "tittel%00", "Tittel", "%27%3B--", strings.Repeat("a", 2000)} {
		got := b.get("/k/oppvekst/forsendelser?rekkefolge=" + bad)
		if got.StatusCode == http.StatusOK && !slices.Equal(rows(got.page(t)), usual[:50]) || got.StatusCode >= 500 {
			t.Errorf("%.20q: got %d", bad, got.StatusCode)
		}
	}
	if got := b.get("/k/oppvekst/utsendinger?rekkefolge=tittel"); !slices.Equal(rows(got.page(t)), usual[:50]) || len(heads(got.page(t))) != 3 {
		t.Error("a list of both kinds is sorted by title")
	}
	for _, cursor := range []string{"1_x_y", second[strings.LastIndex(second, "=")+1:] + "_zzz"} {
		if got := b.get("/k/oppvekst/forsendelser?rekkefolge=status&eldre=" + url.QueryEscape(cursor)); got.StatusCode != http.StatusOK {
			t.Errorf("%q: got %d", cursor, got.StatusCode)
		}
	}
}

// TestListOrderOfProtectedPeople: where a protected person stands in a list does not tell who they are.
func TestListOrderOfProtectedPeople(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, title := range []string{"Avslag", "Melding", "Vedtak"} {
		s.shipment(t, teamLead, title)
	}
	s.protect(t, "15844112349", "90000100")
	s.run(t, `UPDATE shipments SET protected_id = CASE title WHEN 'Melding' THEN (SELECT id FROM protected_people) END`)
	page := s.browser(t, caseworker).get("/k/oppvekst/forsendelser?rekkefolge=tittel").page(t)
	if first := page.Find("tbody tr").First().Text(); strings.Contains(first, "Avslag") || page.Find("tbody tr").Length() != 3 {
		t.Errorf("first stands %q", first)
	}
}

// TestListLook: a person chooses columns and low rows once, for each list and each device.
func TestListLook(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.shipment(t, caseworker, "Vedtak")
	columns := func(b *browser, address string) (words []string, compact bool) {
		page := b.get(address).page(t)
		page.Find("table.ds-table th").Each(func(_ int, th *goquery.Selection) {
			words = append(words, strings.Join(strings.Fields(th.Text()), " "))
		})
		return words, page.Find(".ds-table--tight").Length() > 0
	}
	all := []string{"Tittel og mottaker", "Status", "Kanal", "Referanse", "Sendt av", "Dato"}
	if got, compact := columns(b, "/k/oppvekst/forsendelser"); !slices.Equal(got, all) || compact {
		t.Errorf("at first: %q, compact %t", got, compact)
	}
	got := b.post("/k/oppvekst/utsendinger/visning", fields("valg", "kanal=forsendelse&gruppe=behandling&rekkefolge=tittel", "egen", "ja", "kolonne", "avsender", "kompakt", "true"))
	if want := "/k/oppvekst/forsendelser?gruppe=behandling&rekkefolge=tittel"; got.location() != want {
		t.Errorf("leads to %q, want %q", got.location(), want)
	}
	few := []string{"Tittel og mottaker", "Status", "Sendt av", "Dato"}
	if words, compact := columns(b, got.location()); !slices.Equal(words, few) || !compact {
		t.Errorf("chosen: %q, compact %t", words, compact)
	}
	if words, compact := columns(s.browser(t, caseworker), "/k/oppvekst/forsendelser"); !slices.Equal(words, few) || !compact {
		t.Errorf("on another device: %q, compact %t", words, compact)
	}
	if words, _ := columns(s.browser(t, teamLead), "/k/oppvekst/forsendelser"); !slices.Equal(words, all) {
		t.Errorf("for another person: %q", words)
	}
	for _, address := range []string{"//evil.example", "https://evil.example", "x=1&sok=y"} {
		if got := b.post("/k/oppvekst/utsendinger/visning", fields("valg", address)); !strings.HasPrefix(got.location(), "/k/oppvekst/utsendinger") {
			t.Errorf("%q leads to %q", address, got.location())
		}
	}
	search := s.searchOf(t, teamLead, dispatch.Search{Words: "Vedtak"})
	if got := b.post("/k/oppvekst/utsendinger/visning", fields("sok", search)); got.StatusCode != http.StatusNotFound {
		t.Errorf("another's search: got %d", got.StatusCode)
	}
}
