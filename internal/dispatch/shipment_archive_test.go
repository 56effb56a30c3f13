package dispatch_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

func TestValidateShipmentArchive(t *testing.T) {
	t.Parallel()
	ofCase := func(c dispatch.CaseMetadata) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.Case = &c }
	}
	ofImport := func(m dispatch.ImportMetadata) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.Import = &m }
	}
	checkShipments(t, map[string]shipmentCase{
		"takes empty records":           {change: func(s *dispatch.Shipment) { s.Case, s.Import = &dispatch.CaseMetadata{}, &dispatch.ImportMetadata{} }},
		"takes year 2026":               {change: ofCase(dispatch.CaseMetadata{CaseYear: 2026, JournalYear: 2026, CaseSequence: 1, JournalSequence: 2, JournalPost: 3})},
		"refuses year 20267":            {ofCase(dispatch.CaseMetadata{CaseYear: 20267}), "sak-saksaar", "problem.noark.year", nil},
		"refuses year 26":               {ofCase(dispatch.CaseMetadata{JournalYear: 26}), "sak-journalaar", "problem.noark.year", nil},
		"refuses year -2026":            {ofImport(dispatch.ImportMetadata{CaseYear: -2026}), "import-saksaar", "problem.noark.year", nil},
		"refuses an import of year 1":   {ofImport(dispatch.ImportMetadata{JournalYear: 1}), "import-journalaar", "problem.noark.year", nil},
		"takes the last number":         {change: ofCase(dispatch.CaseMetadata{CaseSequence: 2147483647})},
		"refuses a number past it":      {ofCase(dispatch.CaseMetadata{CaseSequence: 2147483648}), "sak-sakssekvens", "problem.noark.number", nil},
		"refuses a number below 0":      {ofCase(dispatch.CaseMetadata{JournalPost: -1}), "sak-journalpost", "problem.noark.number", nil},
		"refuses an import's too":       {ofImport(dispatch.ImportMetadata{JournalSequence: -1}), "import-journalsekvens", "problem.noark.number", nil},
		"refuses an import's case too":  {ofImport(dispatch.ImportMetadata{CaseSequence: -1}), "import-sakssekvens", "problem.noark.number", nil},
		"refuses an import's entry too": {ofImport(dispatch.ImportMetadata{JournalPost: -1}), "import-journalpost", "problem.noark.number", nil},
	})
}

func TestParseEntries(t *testing.T) {
	t.Parallel()
	got, ps := dispatch.ParseEntries("felt", " Saksnr = 2026/12 \r\n\nFormel=a=b\nTom =\nuten tegn\n = verdi")
	want := []dispatch.Entry{{Key: "Saksnr", Value: "2026/12"}, {Key: "Formel", Value: "a=b"}, {Key: "Tom"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	problems := dispatch.Problems{
		{Field: "felt", Key: "problem.entries", Args: dispatch.Args{"Line": 5}}, {Field: "felt", Key: "problem.entries", Args: dispatch.Args{"Line": 6}},
	}
	if diff := cmp.Diff(ps, problems); diff != "" {
		t.Errorf("problems: got - want +:\n%s", diff)
	}
	if again, _ := dispatch.ParseEntries("felt", dispatch.EntriesText(got)); !slices.Equal(again, got) {
		t.Errorf("what was written is read as %v", again)
	}
}
