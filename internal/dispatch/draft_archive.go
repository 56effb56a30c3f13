package dispatch

import (
	"strconv"
	"strings"
	"time"
)

// ArchiveFields are an archive record as typed, by field name.
type ArchiveFields map[string]string

// newArchiveFields returns a record with the account's defaults; nil when it has none.
func newArchiveFields(postType, status string) ArchiveFields {
	if postType == "" && status == "" {
		return nil
	}
	return ArchiveFields{NoarkPostType: postType, NoarkStatus: status}
}

// Set counts the fields that are filled in.
func (f ArchiveFields) Set() int {
	n := 0
	for _, value := range f {
		if Filled(value) {
			n++
		}
	}
	return n
}

// noarkReader parses the fields of one record and collects problems.
type noarkReader struct {
	form   ArchiveFields
	record string // prefix of its fields
	ps     Problems
}

func (r *noarkReader) text(name string) string { return strings.TrimSpace(r.form[name]) }

// number parses a number; empty is 0, which is left out. A typed 0 is a problem: no case has that number.
func (r *noarkReader) number(name string) int {
	typed := strings.Join(strings.Fields(r.form[name]), "")
	if typed == "" {
		return 0
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 {
		key := "problem.noark.number"
		if name == NoarkCaseYear || name == NoarkJournalYear {
			key = "problem.noark.year"
		}
		r.ps = append(r.ps, Problem{Field: r.record + name, Key: key})
		return 0
	}
	return n
}

// date parses a day; empty is left out.
//
// Assumption: the specification says Date; a day goes out as its midnight in Oslo.
func (r *noarkReader) date(name string) time.Time {
	if !Filled(r.form[name]) {
		return time.Time{}
	}
	day, ok := ParseDay(r.form[name])
	if !ok {
		r.ps = append(r.ps, *DayProblem(r.record+name, r.form[name]))
	}
	return day
}

// parseArchive parses the archive records. An empty record is left out.
func (f DraftFields) parseArchive(s *Shipment) Problems {
	var ps Problems
	if f.Case.Set() > 0 {
		r := noarkReader{form: f.Case, record: FieldCase}
		s.Case = r.caseRecord()
		ps = append(ps, r.ps...)
	}
	if f.Import.Set() > 0 {
		r := noarkReader{form: f.Import, record: FieldImport}
		s.Import = r.importRecord()
		ps = append(ps, r.ps...)
	}
	return ps
}

// dropDefaults leaves out archive records that the generation has not for the recipient and that hold no more than an
// account's defaults, which nobody typed.
func (f DraftFields) dropDefaults(s *Shipment, g Generation) {
	if !g.Has(FieldCase, s.Addressee()) && f.Case.onlyDefaults() {
		s.Case = nil
	}
	if !g.Has(FieldImport, s.Addressee()) && f.Import.onlyDefaults() {
		s.Import = nil
	}
}

// onlyDefaults tells whether no field is filled in but those that have defaults.
func (f ArchiveFields) onlyDefaults() bool {
	return f.Set() == count(Filled(f[NoarkPostType]), Filled(f[NoarkStatus]))
}

func (r *noarkReader) caseRecord() *CaseMetadata {
	c := &CaseMetadata{
		CaseYear: r.number(NoarkCaseYear), CaseSequence: r.number(NoarkCaseSequence),
		JournalYear: r.number(NoarkJournalYear), JournalSequence: r.number(NoarkJournalSequence), JournalPost: r.number(NoarkJournalPost),
		JournalPostType: r.text(NoarkPostType), JournalStatus: r.text(NoarkStatus),
		JournalDate: r.date(NoarkJournalDate), DocumentDate: r.date(NoarkDocumentDate),
		Title: r.text(NoarkTitle), Caseworker: r.text(NoarkCaseworker),
		FolderID: r.text(NoarkFolder), FolderSystemID: r.text(NoarkFolderSystem),
		SystemID: r.text(NoarkSystem), RegistrationID: r.text(NoarkRegistration),
	}
	extra, ps := ParseEntries(r.record+NoarkExtra, r.form[NoarkExtra])
	c.Extra, r.ps = extra, append(r.ps, ps...)
	return c
}

func (r *noarkReader) importRecord() *ImportMetadata {
	return &ImportMetadata{
		CaseYear: r.number(NoarkCaseYear), CaseSequence: r.number(NoarkCaseSequence),
		JournalYear: r.number(NoarkJournalYear), JournalSequence: r.number(NoarkJournalSequence), JournalPost: r.number(NoarkJournalPost),
		JournalPostType: r.text(NoarkPostType), JournalStatus: r.text(NoarkStatus),
		DocumentDate: r.date(NoarkDocumentDate), Title: r.text(NoarkTitle),
		FolderID: r.text(NoarkFolder), FolderSystemID: r.text(NoarkFolderSystem),
		SystemID: r.text(NoarkSystem), RegistrationID: r.text(NoarkRegistration),
	}
}
