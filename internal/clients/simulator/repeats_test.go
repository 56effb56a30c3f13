package simulator_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

func TestASecondSubmissionUnderOneID(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		option, status, accepted int
	}{
		"is refused with 400":        {0, 400, 1},
		"is refused with 500, if so": {500, 500, 1},
		"is accepted again, if so":   {200, 200, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{RepostStatus: tt.option})
			id := g.reserved(t)
			d := newDraft()
			d.path = id + "/sendForsendelse"
			g.shipped(t, d)
			got := g.ship(t, d)
			if got.status != tt.status || len(g.sim.Shipments()) != tt.accepted {
				t.Errorf("got status %d and %d accepted, want %d and %d", got.status, len(g.sim.Shipments()), tt.status, tt.accepted)
			}
			if says := strings.Contains(got.body, "Duplikat") && strings.Contains(got.body, id); says != (tt.accepted == 1) {
				t.Errorf("got body %s", got.body)
			}
			checkJSON(t, g.get(t, "eksternref/x"), `[]`)
			if got := g.shipmentStatus(t, id); got != "MOTTATT" {
				t.Errorf("got %s, want MOTTATT", got)
			}
			g.checkViolations(t)
		})
	}
}

func TestASecondSubmissionAfterAFault(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]int{"[svar tapt]": 400, "[tapt én gang]": 200} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			d := newDraft().titled(title)
			d.path = g.reserved(t) + "/sendForsendelse"
			if got := g.ship(t, d); got.err == nil {
				t.Errorf("got status %d, want a cut connection", got.status)
			}
			if got := g.ship(t, d).status; got != want || len(g.sim.Shipments()) != 1 {
				t.Errorf("got status %d and %d accepted, want %d and 1", got, len(g.sim.Shipments()), want)
			}
		})
	}
}

func TestOfManySubmissionsUnderOneIDOneIsAccepted(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{SlowFor: time.Nanosecond})
	id := g.reserved(t)
	answers := make([]reply, 8)
	var all sync.WaitGroup
	for i := range answers {
		d := newDraft().titled("[treg]")
		d.path = id + "/sendForsendelse"
		r := d.request(t, g)
		all.Go(func() { answers[i] = g.do(r) })
	}
	all.Wait()
	accepted := 0
	for _, a := range answers {
		if a.status == http.StatusOK {
			accepted++
		}
	}
	if accepted != 1 || len(g.sim.Shipments()) != 1 {
		t.Errorf("got %d answers 200 and %d accepted, want 1 and 1", accepted, len(g.sim.Shipments()))
	}
}

func TestRepeatedShipments(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, g *rig, d *draft) {
		t.Helper()
		got := g.ship(t, d)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"errorCode":"GJENTAGENDE_FORSENDELSE"`) ||
			!strings.Contains(got.body, "Forsendelse med samme mottaker, tittel, avsender og filer er forsøkt sendt tidligere") {
			t.Errorf("got status %d and %s, want GJENTAGENDE_FORSENDELSE", got.status, got.body)
		}
	}
	t.Run("are refused after 25", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		for range 25 {
			g.shipped(t, newDraft())
		}
		refused(t, g, newDraft())
		if got := len(g.sim.Shipments()); got != 25 {
			t.Errorf("got %d accepted, want 25", got)
		}
		g.checkViolations(t)
	})
	t.Run("must wait two days after the last attempt", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{RepeatLimit: 2})
		g.shipped(t, newDraft())
		g.shipped(t, newDraft())
		g.clock.advance(47 * time.Hour)
		refused(t, g, newDraft())
		g.clock.advance(47 * time.Hour)
		refused(t, g, newDraft())
		g.clock.advance(48 * time.Hour)
		g.shipped(t, newDraft())
		g.shipped(t, newDraft())
		refused(t, g, newDraft())
	})
	t.Run("are not those that differ in anything", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{RepeatLimit: 1})
		other := newDraft()
		other.files[0].content = "another"
		for _, d := range []*draft{
			newDraft(), other, newDraft().titled("Annet"), newDraft().set("mottaker.postAdresse.adresse3", "Leilighet 2"),
			newDraft().set("mottaker.digitalAdresse", nil), newDraft().add("b.pdf", "application/pdf", "to"),
		} {
			g.shipped(t, d)
		}
		r := newDraft().request(t, g)
		r.SetBasicAuth("naboen", "hemmelig")
		if got := g.do(r).status; got != http.StatusOK {
			t.Errorf("got status %d for another sender, want 200", got)
		}
		refused(t, g, newDraft().set("eksternReferanse", "does not count"))
	})
}

func TestBooksAreCopies(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.shipped(t, newDraft())
	books := g.sim.Shipments()
	books[0].Documents[0].FileName, books[0].Metadata[0] = "x", 'x'
	if got := g.sim.Shipments()[0]; got.Documents[0].FileName != "vedtak.pdf" || got.Metadata[0] != '{' {
		t.Errorf("got %+v, want the books unchanged", got)
	}
}
