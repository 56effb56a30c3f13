package dispatch

import (
	"math"
	"strings"
)

// Fields of the archive records, after the prefixes FieldCase and FieldImport.
const (
	NoarkFolder          = "mappe"        // V2
	NoarkFolderSystem    = "mappesystem"  // V2
	NoarkSystem          = "system"       // V2
	NoarkRegistration    = "registrering" // V2
	NoarkCaseYear        = "saksaar"
	NoarkCaseSequence    = "sakssekvens"
	NoarkJournalYear     = "journalaar"
	NoarkJournalSequence = "journalsekvens"
	NoarkJournalPost     = "journalpost"
	NoarkPostType        = "posttype"
	NoarkStatus          = "journalstatus"
	NoarkJournalDate     = "journaldato"
	NoarkDocumentDate    = "dokumentdato"
	NoarkTitle           = "tittel"
	NoarkCaseworker      = "saksbehandler"
	NoarkExtra           = "ekstra"
)

// The years that an archive record may have.
//
// Assumption: the specification says Integer; the bounds are ours, to catch typing errors.
const (
	archiveYearMin = 1900
	archiveYearMax = 2100
)

// validateArchive checks the archive records (Shipment spec, NoarkMetadata…). Zero values are omitted.
func (s Shipment) validateArchive(ps *Problems) {
	if c := s.Case; c != nil {
		validateYears(ps, FieldCase, c.CaseYear, c.JournalYear)
		validateNumbers(ps, FieldCase, c.CaseSequence, c.JournalSequence, c.JournalPost)
	}
	if m := s.Import; m != nil {
		validateYears(ps, FieldImport, m.CaseYear, m.JournalYear)
		validateNumbers(ps, FieldImport, m.CaseSequence, m.JournalSequence, m.JournalPost)
	}
}

func validateYears(ps *Problems, record string, caseYear, journalYear int) {
	for _, f := range []struct {
		name string
		year int
	}{{NoarkCaseYear, caseYear}, {NoarkJournalYear, journalYear}} {
		if f.year != 0 && (f.year < archiveYearMin || f.year > archiveYearMax) {
			ps.add(&Problem{Field: record + f.name, Key: "problem.noark.year"})
		}
	}
}

func validateNumbers(ps *Problems, record string, caseSequence, journalSequence, journalPost int) {
	for _, f := range []struct {
		name   string
		number int
	}{{NoarkCaseSequence, caseSequence}, {NoarkJournalSequence, journalSequence}, {NoarkJournalPost, journalPost}} {
		if f.number < 0 || f.number > math.MaxInt32 {
			ps.add(&Problem{Field: record + f.name, Key: "problem.noark.number"})
		}
	}
}

// ParseEntries parses key-value pairs, one a line: "Saksnr = 2026/12".
func ParseEntries(field, typed string) ([]Entry, Problems) {
	var entries []Entry
	var ps Problems
	line := 0
	for text := range strings.Lines(typed) {
		line++
		if strings.TrimSpace(text) == "" {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			ps = append(ps, Problem{Field: field, Key: "problem.entries", Args: Args{"Line": line}})
			continue
		}
		entries = append(entries, Entry{key, value})
	}
	return entries, ps
}

// EntriesText formats key-value pairs as ParseEntries reads them.
func EntriesText(entries []Entry) string {
	lines := make([]string, len(entries))
	for i, e := range entries {
		lines[i] = e.Key + " = " + e.Value
	}
	return strings.Join(lines, "\n")
}

// ArchiveDefaults are an account's defaults for archive records.
type ArchiveDefaults struct {
	CasePostType, CaseStatus     string
	ImportPostType, ImportStatus string
}
