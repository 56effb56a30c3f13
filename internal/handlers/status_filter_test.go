package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// TestStatusFilter: a list is filtered by the statuses of the account's generation, and by those that its items have.
func TestStatusFilter(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	offered := func(address string) []string {
		t.Helper()
		s.ahead.Add(int64(2 * time.Minute)) // what can be chosen is kept for a minute
		return b.get(address).page(t).Find("select[name=status] option").Map(func(_ int, o *goquery.Selection) string { return o.AttrOr("value", "") })
	}
	const list = "/k/oppvekst/forsendelser"
	s.sendOver(t, dispatch.IntegrationShipmentV2)
	if got := offered(list); !slices.Contains(got, "VARSLET") || slices.Contains(got, "LEVERT_ALTINN") {
		t.Errorf("V2 offers %q", got)
	}
	s.sendOver(t, dispatch.IntegrationShipmentV3)
	for _, want := range []string{"SENDT_ALTINN", "LEVERT_ALTINN", "SENDT_NHN_MOTTAKER", "LEVERT_NHN_MOTTAKER", "FEILET_UNDER_MOTTAK", "SLETTET", "LEST", "PRINTET"} {
		if got := offered(list); !slices.Contains(got, want) {
			t.Errorf("V3 does not offer %s in %q", want, got)
		}
	}
	if got := offered(list); slices.Contains(got, "VARSLET") {
		t.Errorf("V3 offers %q, which has no VARSLET", got)
	}
	for _, status := range []string{"VARSLET", "NY_VERDI", "LEVERT_ALTINN"} {
		id := s.shipment(t, caseworker, "Brev "+status)
		s.run(t, `UPDATE items SET state = 'accepted', status = $2, status_at = now(), accepted_at = now() WHERE id = $1`, id, status)
	}
	if got := offered(list); !slices.Contains(got, "VARSLET") || !slices.Contains(got, "NY_VERDI") {
		t.Errorf("got %q, want what the items have from before and what nobody knows", got)
	}
	for _, status := range []string{"VARSLET", "NY_VERDI", "LEVERT_ALTINN"} {
		for _, address := range []string{list + "?status=" + status, "/k/oppvekst/utsendinger?status=" + status} {
			page := b.get(address).page(t)
			if got := rows(page); !slices.Equal(got, []string{"Brev " + status}) {
				t.Errorf("%s: got %q", address, got)
			}
			if got := page.Find("select[name=status] option[selected]"); got.Length() != 1 || got.AttrOr("value", "") != status {
				t.Errorf("%s: %d are chosen, %q", address, got.Length(), got.AttrOr("value", ""))
			}
		}
	}
	if got := b.get(list + "?status=LEVERT_ALTINN").page(t).Find("option[selected]").Text(); !strings.Contains(got, "Altinn") {
		t.Errorf("it is called %q", got)
	}
	t.Run("a status of SMS and shipments has its name", func(t *testing.T) {
		wantWords(t, b.get("/k/oppvekst/utsendinger?status=IKKE_LEVERT"), "Status: Ikke levert")
	})
	t.Run("a status that nothing has finds nothing, and stays chosen", func(t *testing.T) {
		page := b.get(list + "?status=SLETTET").page(t)
		if got := page.Find("select[name=status] option[selected]").AttrOr("value", ""); len(rows(page)) != 0 || got != "SLETTET" {
			t.Errorf("got %d rows, chosen %q", len(rows(page)), got)
		}
	})
	t.Run("what is no status is ignored", func(t *testing.T) {
		for _, bad := range []string{"%00", "%ff", "LEST%20OG", "%3Cb%3E", strings.Repeat("A", 300), "LEST'--"} {
			got := b.get(list + "?status=" + bad)
			if page := got.page(t); got.StatusCode != http.StatusOK || len(rows(page)) != 3 || page.Find("select[name=status] option[selected]").AttrOr("value", "") != "" {
				t.Errorf("%s: got %d with %d rows", bad, got.StatusCode, len(rows(page)))
			}
		}
	})
	t.Run("a status of SMS and shipments is offered once, and finds both", func(t *testing.T) {
		known := map[string]bool{}
		b.get("/k/oppvekst/utsendinger").page(t).Find("select[name=status] option").Each(func(_ int, o *goquery.Selection) {
			if name := squeezed(o); known[name] {
				t.Errorf("%s is offered twice", name)
			} else {
				known[name] = true
			}
		})
		if !known["Ikke levert"] || !known["Overlevert"] || !known["Ukjent"] || !known["Lest"] {
			t.Errorf("offered: %v", known)
		}
		for _, id := range []dispatch.ItemID{s.shipment(t, caseworker, "Brevet"), s.queued(t, caseworker, message("Meldingen"))} {
			s.run(t, `UPDATE items SET state = 'accepted', status = 'IKKE_LEVERT', status_at = now(), accepted_at = now() WHERE id = $1`, id)
		}
		page := b.get("/k/oppvekst/utsendinger?status=IKKE_LEVERT").page(t)
		if chosen := page.Find("select[name=status] option[selected]"); len(rows(page)) != 2 || chosen.Length() != 1 || squeezed(chosen) != "Ikke levert" {
			t.Errorf("found %q, chosen %q", rows(page), squeezed(chosen))
		}
	})
}

// TestGroupsBesideAStatus: with a status chosen no group looks chosen, and the groups still tell how many they have.
func TestGroupsBesideAStatus(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.acceptedShipment(t)
	groups := func(query string) (chosen int, words string) {
		nav := b.get("/k/oppvekst/utsendinger" + query).page(t).Find("#grupper")
		return nav.Find("[aria-current]").Length(), strings.Join(strings.Fields(nav.Text()), " ")
	}
	all, told := groups("")
	if all != 1 || !strings.ContainsAny(told, "123456789") {
		t.Fatalf("%d are chosen in %q", all, told)
	}
	if chosen, words := groups("?status=IKKE_LEVERT"); chosen != 0 || words != told {
		t.Errorf("beside a status %d are chosen in %q, want none in %q", chosen, words, told)
	}
}
