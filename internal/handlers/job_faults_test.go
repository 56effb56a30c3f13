package handlers_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestRowOfWrongShapeIsPutRight corrects malformed rows: the recipient as read is in its own field, and the personal
// fields, whose columns may be shifted, can be corrected too.
func TestRowOfWrongShapeIsPutRight(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	const list = "Mobil;Fornavn\n90000101;Ola\n90000102;Nordmann;Kari\n90000103;\"Per\" Olsen\n"
	draft := newList(t, b, "nokkel", uuid.NewString(), "liste", list)
	b.post(draft+"/endre", fields("tekst", "Hei ((Fornavn)), velkommen", "mate", "traceable"))

	page := b.get(draft + "/feil")
	for _, want := range []string{`name="mottaker-3" value="90000102"`, `name="felt-3-0" value="Nordmann"`, `name="mottaker-4" value="90000103"`, `name="felt-4-0"`} {
		if !strings.Contains(strings.Join(strings.Fields(page.body), " "), want) {
			t.Errorf("%s is not in the form", want)
		}
	}
	if csv := b.get(draft + "/feil.csv"); !strings.Contains(csv.body, "90000102;Nordmann;") {
		t.Errorf("the file of bad rows is %q", csv.body)
	}

	b.post(draft+"/feil", fields("rad", "3", "mottaker-3", "90000102", "felt-3-0", "Kari", "rad", "4", "mottaker-4", "90000103", "felt-4-0", ""))
	wantWords(t, b.get(draft+"/feil"), "1 rad er rettet", "Rad 4")
	wantWords(t, b.get(draft+"/kontroll"), "2 mottakere får meldingen", "Hei Kari, velkommen")
}

// TestRowThatStillLacksAFieldIsNotCountedAsPutRight: a valid number alone does not make a row complete.
func TestRowThatStillLacksAFieldIsNotCountedAsPutRight(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "liste", "Mobil;Fornavn\n90000101;Ola\n123;\n")
	b.post(draft+"/endre", fields("tekst", "Hei ((Fornavn)), velkommen", "mate", "traceable"))
	b.post(draft+"/feil", fields("rad", "3", "mottaker-3", "90000102"))
	wantWords(t, b.get(draft+"/feil"), "Ingen rader er endret", "Rad 3", "Raden mangler «fornavn»")
}
