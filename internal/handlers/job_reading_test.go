package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/xuri/excelize/v2"
)

// TestAListSaysHowItWasRead: the page tells which columns were used and which were skipped, with reasons, and lets a
// person change it.
func TestAListSaysHowItWasRead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:Foresatte, høsten 2026;;\nBarn;Mobil 1;Mobil 2\nBj?rn;90000101;90000102\nKari;;90000103\nOla;90000104;\n")
	wantWords(t, b.get(draft+"/endre"), "Vi leste 3 rader, med telefonnummer fra kolonnen «Mobil 1» og overskrifter fra rad 2. 1 rad over overskriftene er ikke med.",
		"Kolonnen «Mobil 2» ser også ut til å ha numre. Den er ikke brukt.", "Over overskriftene står «Foresatte, høsten 2026».", "1 rad har tegn som kan være feil.", "Rad 3, Barn: «Bj?rn»", "Les listen på en annen måte")

	again := b.post(draft+"/lesing", fields("overskrift", "2", "mobilkolonne", "2", "reservekolonne", "3", "fnr-kolonne", "-1"))
	if again.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d: %s", again.StatusCode, again.body)
	}
	wantWords(t, b.get(draft+"/endre"), "telefonnummer fra kolonnen «Mobil 1», telefonnummer fra kolonnen «Mobil 2» der den andre mangler og overskrifter fra rad 2. 1 rad over overskriftene er ikke med.", "Kan sendes til 3")
	wantWords(t, b.post(draft+"/lesing", fields("overskrift", "2", "mobilkolonne", "-1", "fnr-kolonne", "-1")), "Vi finner ingen kolonne med fødselsnummer eller telefonnummer.")

	for text, want := range map[string]string{"Hei [barn]": "I meldingen står [barn], som ser ut som et flettefelt", "Hei ((barn!))": "Meldingen har flettefeltet «barn!»", "Hei {{barn}}": "I meldingen står {{barn}}"} {
		got := b.post(draft+"/endre", fields("tekst", text, "mate", "traceable"))
		if wantWords(t, got, want); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d, want 422", text, got.StatusCode)
		}
	}
	b.post(draft+"/endre", fields("tekst", "Hei ((barn))", "mate", "traceable"))
	wantWords(t, b.get(draft+"/kontroll"), "Vi leste 3 rader", "Rad 3, Barn: «Bj?rn»", "Hei Bj?rn")
	if n := countRows(t, s, `SELECT count(*) FROM list_chunks`); n != 1 {
		t.Errorf("%d pieces of the list are kept with its draft", n)
	}
	b.send(draft)
	if n := countRows(t, s, `SELECT count(*) FROM list_chunks`); n != 0 {
		t.Errorf("%d pieces of the list are kept when it is sent", n)
	}
}

// TestHiddenRowsAreSaid: hidden rows of a workbook are skipped, and the page says so until a person includes them.
func TestHiddenRowsAreSaid(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+twoSheets(t))
	wantWords(t, b.get(draft+"/endre"), "Vi leste 1 rad fra arket «Nå», med telefonnummer fra kolonnen «Mobil» og overskrifter fra rad 1. 2 skjulte rader er ikke med.",
		"Arbeidsboken har flere ark som ser ut som lister: Før, Nå. Vi har lest «Nå».")
	b.post(draft+"/lesing", fields("ark", "Nå", "ark-var", "Nå", "overskrift", "1", "mobilkolonne", "2", "skjulte", "true"))
	wantWords(t, b.get(draft+"/endre"), "Vi leste 3 rader fra arket «Nå»")
	b.post(draft+"/lesing", fields("ark", "Før", "ark-var", "Nå", "overskrift", "1", "mobilkolonne", "2"))
	wantWords(t, b.get(draft+"/endre"), "Vi leste 1 rad fra arket «Før», med telefonnummer fra kolonnen «Mobilnr»")

	at := s.newShipmentList(t, b, "fil", "fil:Uttrekk 24.11.2026;;;;\n"+shipmentPeople)
	wantWords(t, b.get(at+"/flere"), "Vi leste 6 rader, med mottakere fra kolonnene «Fødselsnummer», «Navn», «Adresse», «Postnr» og «Poststed» og overskrifter fra rad 2.", "1 rad over overskriftene er ikke med.")
}

// twoSheets is a workbook with an old list, and a filtered one as the active sheet.
func twoSheets(t *testing.T) string {
	t.Helper()
	f := excelize.NewFile()
	_, err := f.NewSheet("Nå")
	for _, failed := range []error{
		err, f.SetSheetName("Sheet1", "Før"), f.SetSheetRow("Før", "A1", &[]any{"Mobilnr", "Navn"}), f.SetSheetRow("Før", "A2", &[]any{90000109, "Gammel"}),
		f.SetSheetRow("Nå", "A1", &[]any{"Navn", "Mobil"}), f.SetSheetRow("Nå", "A2", &[]any{"Kari", 90000101}), f.SetSheetRow("Nå", "A3", &[]any{"Ola", 90000102}), f.SetSheetRow("Nå", "A4", &[]any{"Per", 90000103}),
		f.SetRowVisible("Nå", 3, false), f.SetRowVisible("Nå", 4, false),
	} {
		if failed != nil {
			t.Fatal(failed)
		}
	}
	f.SetActiveSheet(1)
	var b strings.Builder
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
