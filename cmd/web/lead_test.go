package main_test

import (
	"testing"
	"time"

	"utsending/internal/browsertest"
)

// leads follows a team lead's morning: failures, each count with its list, the same days a week before, and the overviews of the
// account and of the lead's own items.
func leads(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{undo: time.Hour})
		s.inState(t, 3, `state = 'rejected', reason_key = 'reason.rejected', reason_at = now()`)
		s.inState(t, 1, `state = 'rejected', reason_key = 'reason.rejected', reason_at = now() - interval '3 days'`)
		s.inState(t, 2, `state = 'uncertain', reason_key = 'reason.timeout', reason_at = now()`)
		v := s.as(t, b, o, "ingrid")
		v.Go("/k/oppvekst/ledelse")
		v.wantHeading("Ledelse")
		v.wantText("#na-feilet .answer-value", "5")
		v.wantText("#na-feilet", "Ikke fulgt opp: 5")
		v.wantText("#na-venter", "Ingenting er forsinket.")
		v.wantText(".places", "Uavklart om de ble sendt")
		v.glance("lead-now")
		if v.screen.Page != nil && v.Overflows() {
			t.Error("it scrolls sideways")
		}
		v.Click("#na-feilet .answer-value a")
		v.wantText(".listbar", "Viser 5")
		v.wantText("main", "Feilet eller uavklart siden i går")
		v.Go("/k/oppvekst/ledelse?periode=7") // not today: midnight may pass meanwhile
		v.Click(".places a")
		v.wantText(".listbar", "Viser 2")

		v.Go("/k/oppvekst/ledelse?periode=7")
		v.Click("details:has(#mot) > summary")
		v.Select("#mot", "Dagene rett før")
		v.ClickText("button", "Vis tallene")
		v.wantText("main", "Sammenligning")
		v.wantText("main", "Ingen i perioden før")
		v.Click("details:has(#feil) > summary")
		v.wantText("main", "Kunne ikke sendes")
		v.glance("lead-compared")
		if v.screen.Page != nil && v.Overflows() {
			t.Error("compared, it scrolls sideways")
		}

		v.Go("/k/oppvekst/")
		v.wantText("#folg-opp", "Hele kontoen")
		v.wantText("#folg-opp", "Noe må rettes før de kan sendes.")
		v.glance("overview-lead")
		v.ClickText("link", "Mine")
		v.wantText("#folg-opp", "Ingenting du har sendt, trenger oppfølging akkurat nå.")
		v.ClickText("link", "Hele kontoen")
		v.Click(".causes a")
		v.wantHeading("Trenger oppfølging")
	}
}
