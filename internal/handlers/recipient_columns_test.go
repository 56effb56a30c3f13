package handlers_test

import (
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// titlesOf sends a shipment to many and returns the names and titles of what was made.
func (s *site) titlesOf(t *testing.T, b *browser, at string) (got []string) {
	t.Helper()
	b.send(at + "/flere")
	s.makeItems(t)
	job := b.follow(t, at).Request.URL.Path
	for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), s.oppvekst.Account.ID, dispatch.JobID(job[strings.LastIndex(job, "/")+1:])) {
		if err != nil {
			t.Fatal(err)
		}
		sent, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, it.ID)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, it.Recipient.Postal.Name+": "+sent.Title)
	}
	return got
}

// TestACorrectedRecipientIsCorrectedInTheTitle: a column of the recipient that the title names has one field, also where the name
// is in two columns.
func TestACorrectedRecipientIsCorrectedInTheTitle(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		list, title string
		hidden      []string // fields of columns that have a field of the recipient
		fix         []string
		want        []string
	}{
		"one column": {"Navn;Adresse;Postnr;Sted;Land\nOla Kortt;;150;;\nKari;Storgata 2;7713;Steinkjer;Norge\n", "Til ((navn)), ((adresse)), ((postnr)) ((sted)), ((land))",
			[]string{"felt0-2", "felt1-2", "felt2-2", "felt3-2", "felt4-2"}, []string{"navn-2", "Ola Kort", "adresse1-2", "Storgata 1"},
			[]string{"Ola Kort: Til Ola Kort, Storgata 1, 0150 Oslo, Norge", "Kari: Til Kari, Storgata 2, 7713 Steinkjer, Norge"}},
		"two columns": {"Fornavn;Etternavn;Adresse;Postnr;Sted\nOla;Kortt;;7713;Steinkjer\nKari;Berg;Storgata 2;7713;Steinkjer\n", "Til ((fornavn)), ((etternavn))",
			[]string{"navn-2", "felt2-2"}, []string{"felt1-2", "Kort", "adresse1-2", "Storgata 1"}, []string{"Ola Kort: Til Ola, Kort", "Kari Berg: Til Kari, Berg"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := s.browser(t, caseworker)
			at := s.newShipmentList(t, b, "liste", k.list)
			b.post(at, fields("versjon", "1", "tittel", k.title, "avgivende", "Utsending"))
			page := b.get(at + "/flere/feil").page(t)
			for _, field := range k.hidden {
				if page.Find("[name="+field+"]").Length() != 0 {
					t.Errorf("the row has the second field %s", field)
				}
			}
			if page.Find("[name="+k.fix[0]+"]").Length() != 1 {
				t.Fatalf("the row lacks the field %s", k.fix[0])
			}
			if got := b.post(at+"/flere/feil", fields(append([]string{"rad", "2"}, k.fix...)...)).location(); got != at+"/flere" {
				t.Fatalf("the correction leads to %q", got)
			}
			wantWords(t, b.get(at+"/flere/kontroll"), strings.SplitN(k.want[0], ": ", 2)[1])
			if got := s.titlesOf(t, b, at); !slices.Equal(got, k.want) {
				t.Errorf("got %q, want %q", got, k.want)
			}
		})
	}
}

// TestFileOfFaultyRowsKeepsTheColumnsOfTheTitle: it can be corrected and read again without losing what the title names.
func TestFileOfFaultyRowsKeepsTheColumnsOfTheTitle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Mottaker;Gate;Postnr;Sted\nOla;Storgata 1;;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n")
	b.post(at, fields("versjon", "1", "tittel", "Til ((mottaker)) i ((sted))", "avgivende", "Utsending"))
	file, err := csvRows(b.get(at + "/flere/feil.csv").body)
	if err != nil || len(file) != 2 || file[0][1] != "mottaker" || file[0][6] != "sted" || file[1][1] != "Ola" {
		t.Errorf("got %q, %v", file, err)
	}
}
