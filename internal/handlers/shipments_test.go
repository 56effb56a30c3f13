package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

func TestShipmentPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead, watcher := s.browser(t, caseworker), s.browser(t, teamLead), s.browser(t, auditor)
	const base = "/k/oppvekst/forsendelser/"

	t.Run("leads the owner of a draft to its form, and nobody else", func(t *testing.T) {
		id, _ := s.listDraft(t, caseworker, "Vedtak")
		if got := own.get(base + string(id)); got.StatusCode != http.StatusSeeOther || got.location() != "/k/oppvekst/utkast/"+string(id) {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
		for _, b := range []*browser{lead, watcher} {
			if got := b.get(base + string(id)); got.StatusCode != http.StatusNotFound {
				t.Errorf("got %d for somebody else, want 404", got.StatusCode)
			}
		}
	})
	t.Run("answers the part alone as it stands in the page", func(t *testing.T) {
		address := base + string(s.shipment(t, caseworker, "Vedtak om skyss"))
		whole, part := own.get(address), own.get(address, fragment("forsendelse")...)
		if heading(whole.page(t)) != "Vedtak om skyss" || strings.Contains(part.body, "<html") {
			t.Errorf("got heading %q", heading(whole.page(t)))
		}
		if got, want := outer(t, part.page(t).Find("#forsendelse")), outer(t, whole.page(t).Find("#forsendelse")); got != want {
			t.Errorf("the part differs from what the page holds:\n%s\n%s", got, want)
		}
	})
	t.Run("pulls the next read forward when somebody looks", func(t *testing.T) {
		id := s.shipment(t, caseworker, "Vedtak")
		s.run(t, `UPDATE items SET state = 'accepted', upstream_id = $2, accepted_at = now(), status = 'VARSLET', next_check_at = now() + interval '6 hours'
			WHERE id = $1`, id, uuid.NewString())
		own.get(base + string(id))
		if text := own.get(base + string(id)).page(t).Find(".status").Text(); strings.Contains(text, "Vi spør tjenesten igjen") {
			t.Errorf("got %q, want a read that is due", text)
		}
	})
	t.Run("shows the whole number to its sender alone, and writes that down", func(t *testing.T) {
		id := s.shipment(t, caseworker, "Vedtak")
		if got := own.get(base + string(id)); strings.Contains(got.body, "12047800155") {
			t.Error("the number is not masked")
		}
		if got := lead.post(base+string(id)+"/vis", fields()); got.StatusCode != http.StatusUnprocessableEntity || strings.Contains(got.body, "12047800155") {
			t.Errorf("got %d for a team lead without a reason, want 422", got.StatusCode)
		}
		if got := own.post(base+string(id)+"/vis", fields()).page(t).Find("#nummer").Text(); got != "12047800155" {
			t.Errorf("got %q", got)
		}
		if got := own.get(base + string(id)); strings.Contains(got.body, "12047800155") || !strings.Contains(got.body, "Hele nummeret ble vist") {
			t.Error("the number still shows, or the timeline does not tell")
		}
	})
}

func TestDecideShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const base = "/k/oppvekst/forsendelser/"
	tests := []struct {
		name, recover, choice, flash string
		state                        dispatch.State
		status                       int
	}{
		{"waits while it is looked for", "now() + interval '5 minutes'", "send_again", "Forsendelsen er allerede endret", dispatch.StateUncertain, http.StatusSeeOther},
		{"asks for a choice", "NULL", "", "", dispatch.StateUncertain, http.StatusUnprocessableEntity},
		{"sends it again", "NULL", "send_again", "Valget er lagret", dispatch.StateQueued, http.StatusSeeOther},
		{"regards it as sent", "NULL", "sent", "Valget er lagret", dispatch.StateAccepted, http.StatusSeeOther},
		{"leaves it", "NULL", "drop", "Valget er lagret", dispatch.StateCancelled, http.StatusSeeOther},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			id := s.shipment(t, caseworker, "Vedtak")
			s.run(t, `UPDATE items SET state = 'uncertain', recover_at = `+test.recover+` WHERE id = $1`, id)
			if got := b.post(base+string(id)+"/avgjor", fields("valg", test.choice)); got.StatusCode != test.status {
				t.Fatalf("got %d, want %d", got.StatusCode, test.status)
			}
			if got := flash(b.get(base + string(id)).page(t)); !strings.HasPrefix(got, test.flash) {
				t.Errorf("got message %q, want %q", got, test.flash)
			}
			if it, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, id); err != nil || it.State != test.state {
				t.Errorf("got %s, %v; want %s", it.State, err, test.state)
			}
		})
	}
}

func TestShipmentList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const base = "/k/oppvekst/forsendelser"
	if got := b.get(base).page(t).Find(".empty").Text(); !strings.Contains(got, "Ingen har sendt en forsendelse fra denne kontoen ennå.") {
		t.Errorf("got %q from an empty list", got)
	}
	for n := range 52 {
		id := s.shipment(t, caseworker, fmt.Sprintf("Brev %d", n))
		s.run(t, `UPDATE items SET created_at = $2::timestamptz + $3 * interval '1 minute' WHERE id = $1`, id, "2026-11-20T08:00:00Z", n)
	}
	s.listDraft(t, caseworker, "Et utkast")
	s.queued(t, caseworker, message("En SMS"))

	newest := b.get(base).page(t)
	titles := newest.Find("tbody .main-link")
	if titles.Length() != 50 || titles.First().Text() != "Brev 51" || titles.Last().Text() != "Brev 2" {
		t.Fatalf("got %d from %q to %q", titles.Length(), titles.First().Text(), titles.Last().Text())
	}
	oldest := b.get(newest.Find("a[rel=next]").AttrOr("href", "")).page(t)
	if got := oldest.Find("tbody .main-link"); got.Length() != 2 || got.Last().Text() != "Brev 0" {
		t.Errorf("got %d older ones to %q", got.Length(), got.Last().Text())
	}
	if oldest.Find("a[rel=next]").Length() != 0 {
		t.Error("the end of the list leads on")
	}
	back := b.get(oldest.Find("a[rel=prev]").AttrOr("href", "")).page(t)
	if got := back.Find("tbody .main-link"); got.Length() != 50 || got.First().Text() != "Brev 51" {
		t.Errorf("got %d back from %q", got.Length(), got.First().Text())
	}
}

func TestShipmentListShowsWhatHoldsThemBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, s.shipment(t, caseworker, "Stanset"))
	if err := queue.In(s.store).Operations.PauseDelivery(t.Context(), store.Actor{}, "Kari Nordmann"); err != nil {
		t.Fatal(err)
	}
	var got []string
	s.browser(t, caseworker).get("/k/oppvekst/forsendelser").page(t).Find("tbody .ds-tag").Each(func(_ int, tag *goquery.Selection) {
		got = append(got, strings.TrimSpace(tag.Text()))
	})
	if want := []string{"Stoppet", "Venter på integrasjonen"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
