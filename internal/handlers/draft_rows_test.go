package handlers_test

import "testing"

// TestFaultyRowsAreCountedWithTheDraftsProblems: the error summary of a draft names faulty rows of its list, too.
func TestFaultyRowsAreCountedWithTheDraftsProblems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n")
	b.post(at, fields("versjon", "1", "tittel", "", "avgivende", "Utsending"))
	page := b.get(at + "/flere/kontroll")
	got := problems(t, page)
	if len(got) != 2 || got["rader-feil"] != "1 rad på listen må rettes eller utelates." {
		t.Errorf("the problems are %q", got)
	}
	if to := page.page(t).Find("#rader-feil").AttrOr("href", ""); to != at+"/flere/feil" {
		t.Errorf("the rows are at %q", to)
	}
}
