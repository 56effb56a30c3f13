package handlers_test

import (
	"testing"

	"github.com/google/uuid"
)

// TestDraftsAreNotDeletedByOnePress: each button that deletes a draft or its list is folded away behind what is lost, also in a
// draft that was empty when its page was loaded.
func TestDraftsAreNotDeletedByOnePress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	list := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	one, _ := s.listDraft(t, caseworker, "Vedtak")
	job := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+people)
	b.post(job+"/endre", fields("tekst", "Hei", "mate", "traceable"))
	empty := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString())).location()
	for _, k := range []struct{ page, act, lost string }{
		{empty, empty + "/forkast", "filene du har lastet opp, slettes"},
		{list, list + "/forkast", "filene og hele listen slettes"},
		{list + "/flere", list + "/flere/forkast", "Hele listen slettes"},
		{list + "/flere/kontroll", list + "/forkast", "filene og hele listen slettes"},
		{"/k/oppvekst/utkast/" + string(one), "/k/oppvekst/utkast/" + string(one) + "/forkast", "filene du har lastet opp, slettes"},
		{job + "/endre", job + "/forkast", "Meldingen og hele listen slettes"},
		{job + "/kontroll", job + "/forkast", "Meldingen og hele listen slettes"},
	} {
		page := b.get(k.page)
		wantWords(t, page, k.lost, "Det kan ikke angres.")
		acts := page.page(t).Find(`form[action="` + k.act + `"], button[formaction="` + k.act + `"]`)
		if acts.Length() != 1 || acts.Closest("details:not([open])").Length() != 1 {
			t.Errorf("%s: %d buttons delete, %d of them folded", k.page, acts.Length(), acts.Closest("details:not([open])").Length())
		}
	}
}
