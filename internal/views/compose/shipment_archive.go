package compose

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// noarkField is one field of an archive record in the form.
type noarkField struct {
	Name  string
	Short bool // a number or a date
	ID    bool // only some generations have it
}

// caseFields and importFields are the fields of the two records in the order of the form. The extra entries of the case record are
// a list of their own.
var (
	caseFields = []noarkField{
		{Name: dispatch.NoarkCaseYear, Short: true}, {Name: dispatch.NoarkCaseSequence, Short: true},
		{Name: dispatch.NoarkJournalYear, Short: true}, {Name: dispatch.NoarkJournalSequence, Short: true}, {Name: dispatch.NoarkJournalPost, Short: true},
		{Name: dispatch.NoarkPostType, Short: true}, {Name: dispatch.NoarkStatus, Short: true},
		{Name: dispatch.NoarkJournalDate, Short: true}, {Name: dispatch.NoarkDocumentDate, Short: true},
		{Name: dispatch.NoarkTitle}, {Name: dispatch.NoarkCaseworker},
		{Name: dispatch.NoarkFolder, ID: true}, {Name: dispatch.NoarkFolderSystem, ID: true}, {Name: dispatch.NoarkSystem, ID: true}, {Name: dispatch.NoarkRegistration, ID: true},
	}
	importFields = []noarkField{
		{Name: dispatch.NoarkCaseYear, Short: true}, {Name: dispatch.NoarkCaseSequence, Short: true},
		{Name: dispatch.NoarkJournalYear, Short: true, ID: true}, {Name: dispatch.NoarkJournalSequence, Short: true, ID: true}, {Name: dispatch.NoarkJournalPost, Short: true, ID: true},
		{Name: dispatch.NoarkPostType, Short: true}, {Name: dispatch.NoarkStatus, Short: true}, {Name: dispatch.NoarkDocumentDate, Short: true},
		{Name: dispatch.NoarkTitle},
		{Name: dispatch.NoarkFolder, ID: true}, {Name: dispatch.NoarkFolderSystem, ID: true}, {Name: dispatch.NoarkSystem, ID: true}, {Name: dispatch.NoarkRegistration, ID: true},
	}
)

// NoarkNames are the names of all fields of a record: dispatch.FieldCase or dispatch.FieldImport.
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

// inputs are the fields of a record that the account's generation knows.
func inputs(record string, fields []noarkField, form dispatch.ArchiveFields, ids bool) []views.Field {
	var list []views.Field
	for _, f := range fields {
		if f.ID && !ids {
			continue
		}
		in := views.Field{Name: record + f.Name, Label: "noark." + f.Name, Value: form[f.Name]}
		if f.Short {
			in.Size = "16"
		}
		if f.Name == dispatch.NoarkPostType || f.Name == dispatch.NoarkStatus {
			in.Hint = in.Label + ".hint"
		}
		list = append(list, in)
	}
	return list
}

// CaseFacts are the filled fields of the delivering system's archive record, in the order of the form.
func CaseFacts(ctx context.Context, c *dispatch.CaseMetadata) []views.Known {
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
		facts = append(facts, views.Known{Label: e.Key, Value: e.Value})
	}
	return facts
}

// ImportFacts are the filled fields of the archive record for the receiving system.
func ImportFacts(ctx context.Context, m *dispatch.ImportMetadata) []views.Known {
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

func noarkFacts(ctx context.Context, values map[string]string, fields []noarkField) []views.Known {
	var facts []views.Known
	for _, f := range fields {
		if values[f.Name] != "" {
			facts = append(facts, views.Known{Label: i18n.T(ctx, "noark."+f.Name), Value: values[f.Name]})
		}
	}
	return facts
}

// figure formats a number without a thousands separator; empty for none.
func figure(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// day formats a date; empty for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return views.TypedDate(t)
}

// factsLine joins facts on one line: "Saksår 2026, Sakssekvensnummer 12".
func factsLine(facts []views.Known) string {
	parts := make([]string, len(facts))
	for i, f := range facts {
		parts[i] = f.Label + " " + f.Value
	}
	return strings.Join(parts, ", ")
}
