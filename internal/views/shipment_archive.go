package views

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// NoarkForm is an archive record as typed, by the names of its fields.
type NoarkForm map[string]string

// noarkField is one field of an archive record in the form.
type noarkField struct {
	Name  string
	Short bool // a number or a date
	V2    bool // V1 does not have it
}

// caseFields and importFields are the fields of the two records, in the order of the form. What else the case record has
// is a list of its own.
var (
	caseFields = []noarkField{
		{Name: dispatch.NoarkCaseYear, Short: true}, {Name: dispatch.NoarkCaseSequence, Short: true},
		{Name: dispatch.NoarkJournalYear, Short: true}, {Name: dispatch.NoarkJournalSequence, Short: true}, {Name: dispatch.NoarkJournalPost, Short: true},
		{Name: dispatch.NoarkPostType, Short: true}, {Name: dispatch.NoarkStatus, Short: true},
		{Name: dispatch.NoarkJournalDate, Short: true}, {Name: dispatch.NoarkDocumentDate, Short: true},
		{Name: dispatch.NoarkTitle}, {Name: dispatch.NoarkCaseworker},
		{Name: dispatch.NoarkFolder, V2: true}, {Name: dispatch.NoarkFolderSystem, V2: true}, {Name: dispatch.NoarkSystem, V2: true}, {Name: dispatch.NoarkRegistration, V2: true},
	}
	importFields = []noarkField{
		{Name: dispatch.NoarkCaseYear, Short: true}, {Name: dispatch.NoarkCaseSequence, Short: true},
		{Name: dispatch.NoarkJournalYear, Short: true, V2: true}, {Name: dispatch.NoarkJournalSequence, Short: true, V2: true}, {Name: dispatch.NoarkJournalPost, Short: true, V2: true},
		{Name: dispatch.NoarkPostType, Short: true}, {Name: dispatch.NoarkStatus, Short: true}, {Name: dispatch.NoarkDocumentDate, Short: true},
		{Name: dispatch.NoarkTitle},
		{Name: dispatch.NoarkFolder, V2: true}, {Name: dispatch.NoarkFolderSystem, V2: true}, {Name: dispatch.NoarkSystem, V2: true}, {Name: dispatch.NoarkRegistration, V2: true},
	}
)

// NoarkNames are the names of all fields of a record, dispatch.FieldCase or dispatch.FieldImport.
func NoarkNames(record string) []string {
	fields, names := importFields, []string(nil)
	if record == dispatch.FieldCase {
		fields, names = caseFields, []string{dispatch.NoarkExtra}
	}
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// newNoarkForm is a record with the account's defaults; nil when it has none.
func newNoarkForm(postType, status string) NoarkForm {
	if postType == "" && status == "" {
		return nil
	}
	return NoarkForm{dispatch.NoarkPostType: postType, dispatch.NoarkStatus: status}
}

// set counts the fields that are filled in.
func (f NoarkForm) set() int {
	n := 0
	for _, value := range f {
		if filled(value) {
			n++
		}
	}
	return n
}

// noarkReader reads the fields of one record and collects what cannot be read.
type noarkReader struct {
	form   NoarkForm
	record string // prefix of its fields
	ps     dispatch.Problems
}

func (r *noarkReader) text(name string) string { return strings.TrimSpace(r.form[name]) }

// number reads a number; empty is 0, which is left out. 0 itself is no number of a case.
func (r *noarkReader) number(name string) int {
	typed := strings.Join(strings.Fields(r.form[name]), "")
	if typed == "" {
		return 0
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 {
		key := "problem.noark.number"
		if name == dispatch.NoarkCaseYear || name == dispatch.NoarkJournalYear {
			key = "problem.noark.year"
		}
		r.ps = append(r.ps, dispatch.Problem{Field: r.record + name, Key: key})
		return 0
	}
	return n
}

// date reads a day; empty is left out.
//
// Assumption: the specification says Date; a day goes out as its midnight in Oslo.
func (r *noarkReader) date(name string) time.Time {
	if !filled(r.form[name]) {
		return time.Time{}
	}
	day, ok := parseDate(r.form[name])
	if !ok {
		r.ps = append(r.ps, dispatch.Problem{Field: r.record + name, Key: "problem.date"})
	}
	return day
}

// parseArchive reads the archive records. One in which nothing is filled in is left out.
func (f ShipmentForm) parseArchive(s *dispatch.Shipment) dispatch.Problems {
	var ps dispatch.Problems
	if f.Case.set() > 0 {
		r := noarkReader{form: f.Case, record: dispatch.FieldCase}
		s.Case = r.caseRecord()
		ps = append(ps, r.ps...)
	}
	if f.Import.set() > 0 {
		r := noarkReader{form: f.Import, record: dispatch.FieldImport}
		s.Import = r.importRecord()
		ps = append(ps, r.ps...)
	}
	return ps
}

func (r *noarkReader) caseRecord() *dispatch.CaseMetadata {
	c := &dispatch.CaseMetadata{
		CaseYear: r.number(dispatch.NoarkCaseYear), CaseSequence: r.number(dispatch.NoarkCaseSequence),
		JournalYear: r.number(dispatch.NoarkJournalYear), JournalSequence: r.number(dispatch.NoarkJournalSequence), JournalPost: r.number(dispatch.NoarkJournalPost),
		JournalPostType: r.text(dispatch.NoarkPostType), JournalStatus: r.text(dispatch.NoarkStatus),
		JournalDate: r.date(dispatch.NoarkJournalDate), DocumentDate: r.date(dispatch.NoarkDocumentDate),
		Title: r.text(dispatch.NoarkTitle), Caseworker: r.text(dispatch.NoarkCaseworker),
		FolderID: r.text(dispatch.NoarkFolder), FolderSystemID: r.text(dispatch.NoarkFolderSystem),
		SystemID: r.text(dispatch.NoarkSystem), RegistrationID: r.text(dispatch.NoarkRegistration),
	}
	extra, ps := dispatch.ParseEntries(r.record+dispatch.NoarkExtra, r.form[dispatch.NoarkExtra])
	c.Extra, r.ps = extra, append(r.ps, ps...)
	return c
}

func (r *noarkReader) importRecord() *dispatch.ImportMetadata {
	return &dispatch.ImportMetadata{
		CaseYear: r.number(dispatch.NoarkCaseYear), CaseSequence: r.number(dispatch.NoarkCaseSequence),
		JournalYear: r.number(dispatch.NoarkJournalYear), JournalSequence: r.number(dispatch.NoarkJournalSequence), JournalPost: r.number(dispatch.NoarkJournalPost),
		JournalPostType: r.text(dispatch.NoarkPostType), JournalStatus: r.text(dispatch.NoarkStatus),
		DocumentDate: r.date(dispatch.NoarkDocumentDate), Title: r.text(dispatch.NoarkTitle),
		FolderID: r.text(dispatch.NoarkFolder), FolderSystemID: r.text(dispatch.NoarkFolderSystem),
		SystemID: r.text(dispatch.NoarkSystem), RegistrationID: r.text(dispatch.NoarkRegistration),
	}
}

// inputs are the fields of a record that the form shows: those that the generation has.
func inputs(record string, fields []noarkField, form NoarkForm, v2 bool) []field {
	var list []field
	for _, f := range fields {
		if f.V2 && !v2 {
			continue
		}
		in := field{Name: record + f.Name, Label: "noark." + f.Name, Value: form[f.Name]}
		if f.Short {
			in.Size = "16"
		}
		list = append(list, in)
	}
	return list
}

// known is one thing that is known of a shipment.
type known struct{ Label, Value string }

// caseFacts are what an archive record of the delivering system says, in the order of the form.
func caseFacts(ctx context.Context, c *dispatch.CaseMetadata) []known {
	if c == nil {
		return nil
	}
	facts := noarkFacts(ctx, map[string]string{
		dispatch.NoarkCaseYear: figure(c.CaseYear), dispatch.NoarkCaseSequence: figure(c.CaseSequence), dispatch.NoarkJournalYear: figure(c.JournalYear),
		dispatch.NoarkJournalSequence: figure(c.JournalSequence), dispatch.NoarkJournalPost: figure(c.JournalPost),
		dispatch.NoarkPostType: c.JournalPostType, dispatch.NoarkStatus: c.JournalStatus,
		dispatch.NoarkJournalDate: day(c.JournalDate), dispatch.NoarkDocumentDate: day(c.DocumentDate), dispatch.NoarkTitle: c.Title, dispatch.NoarkCaseworker: c.Caseworker,
		dispatch.NoarkFolder: c.FolderID, dispatch.NoarkFolderSystem: c.FolderSystemID, dispatch.NoarkSystem: c.SystemID, dispatch.NoarkRegistration: c.RegistrationID,
	}, caseFields)
	for _, e := range c.Extra {
		facts = append(facts, known{e.Key, e.Value})
	}
	return facts
}

// importFacts are what an archive record for the receiving system says.
func importFacts(ctx context.Context, m *dispatch.ImportMetadata) []known {
	if m == nil {
		return nil
	}
	return noarkFacts(ctx, map[string]string{
		dispatch.NoarkCaseYear: figure(m.CaseYear), dispatch.NoarkCaseSequence: figure(m.CaseSequence), dispatch.NoarkJournalYear: figure(m.JournalYear),
		dispatch.NoarkJournalSequence: figure(m.JournalSequence), dispatch.NoarkJournalPost: figure(m.JournalPost),
		dispatch.NoarkPostType: m.JournalPostType, dispatch.NoarkStatus: m.JournalStatus, dispatch.NoarkDocumentDate: day(m.DocumentDate), dispatch.NoarkTitle: m.Title,
		dispatch.NoarkFolder: m.FolderID, dispatch.NoarkFolderSystem: m.FolderSystemID, dispatch.NoarkSystem: m.SystemID, dispatch.NoarkRegistration: m.RegistrationID,
	}, importFields)
}

func noarkFacts(ctx context.Context, values map[string]string, fields []noarkField) []known {
	var facts []known
	for _, f := range fields {
		if values[f.Name] != "" {
			facts = append(facts, known{i18n.T(ctx, "noark."+f.Name), values[f.Name]})
		}
	}
	return facts
}

// figure writes a number of an archive, without a gap; empty when there is none.
func figure(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// day writes a date of an archive; empty when there is none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return tableDate(t)
}

// factsLine writes what is known in one sentence's worth: "Saksår 2026, Sakssekvensnummer 12".
func factsLine(facts []known) string {
	parts := make([]string, len(facts))
	for i, f := range facts {
		parts[i] = f.Label + " " + f.Value
	}
	return strings.Join(parts, ", ")
}
