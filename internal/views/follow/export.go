package follow

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// exportColumns are the columns of an export, by their part of the catalogue keys.
var exportColumns = []string{"channel", "what", "recipient", "status", "signing", "way", "reference", "sender", "time", "id"}

// ExportColumns are the headings of an export.
func ExportColumns(ctx context.Context) []string {
	headings := make([]string, len(exportColumns))
	for i, column := range exportColumns {
		headings[i] = i18n.T(ctx, "export.column."+column)
	}
	return headings
}

// ExportRow is a row of an export, with no more than the list shows to the user: no colleagues' or hidden texts, and
// masked numbers.
func ExportRow(ctx context.Context, r dispatch.ListRow, viewer dispatch.UserID, now time.Time) []string {
	what, recipient, way := r.Title, r.RecipientName, i18n.T(ctx, views.Channel(&r))
	if r.Kind == dispatch.KindSMS {
		what, _ = views.LineOf(&r, viewer)
		if r.HideInReport {
			what = i18n.T(ctx, "sms.text.hidden")
		}
		recipient, way = views.InList(ctx, r.Recipient), i18n.T(ctx, "nav.sms")
	}
	signing := ""
	if r.SigningStatus != "" {
		signing = views.SigningLook(ctx, r.SigningStatus).Word
	}
	return []string{
		i18n.T(ctx, "lead.kind."+string(r.Kind)), what, recipient, views.LookOf(ctx, r.Item, now).Word, signing, way, r.ExternalReference, r.Creator,
		views.FileTime(r.CreatedAt), string(r.ID),
	}
}

// FieldFormat is the field of the file format.
const FieldFormat = "format"

// AskExportPage describes an export before it is ordered.
type AskExportPage struct {
	views.Page
	Action string // address of the form, with the filters
	Back   string // the list
	Count  dispatch.GroupCount
	Chosen []string // the filters in words
	Format dispatch.ExportFormat
}

// rows tells how many rows the file will have.
func (p AskExportPage) rows(ctx context.Context) string {
	if p.Count.Above {
		return i18n.T(ctx, "export.rows.above", "Count", p.Count.N)
	}
	return i18n.T(ctx, "export.rows", "N", p.Count.N)
}

// ExportPage shows an export's progress, and the link to its file.
type ExportPage struct {
	views.Page
	Export dispatch.Export
}

func (p ExportPage) address() string { return p.PathTo("eksport", p.Export.ID) }

// liveAfter is the interval in seconds at which the page refreshes; empty: never.
func (p ExportPage) liveAfter() string {
	if !p.Export.Waits() {
		return ""
	}
	return strconv.Itoa(1 + min(9, int(p.Now.Sub(p.Export.CreatedAt).Seconds()/10)))
}

func (p ExportPage) look(ctx context.Context) views.Look {
	switch {
	case p.Export.Failed:
		return views.Look{Word: i18n.T(ctx, "export.failed"), Color: "danger", Icon: "XMarkOctagon"}
	case p.Export.Done:
		return views.Look{Word: i18n.T(ctx, "export.done"), Color: "success", Icon: "CheckmarkCircle"}
	}
	return views.Look{Word: i18n.T(ctx, "export.waits"), Color: "info", Icon: "Clock"}
}

// exportFormats are the file formats in the order in which they are offered.
var exportFormats = []dispatch.ExportFormat{dispatch.FormatXLSX, dispatch.FormatCSV}

// ExportAddress is the address for exporting the list.
func (p *ListPage) ExportAddress() string {
	a := p.List
	a.Base, a.Fixed = p.PathTo("eksport"), false
	query := a.Query()
	if p.Searched != nil {
		query = strings.TrimSuffix(views.FieldSearchID+"="+p.Searched.ID+"&"+query, "&")
	}
	return views.WithQuery(a.Base, query)
}

// ChosenWords are a list's filters in words.
func ChosenWords(ctx context.Context, p *ListPage) (words []string) {
	if k := p.List.Filter.Kind; k != "" {
		words = append(words, i18n.T(ctx, "list.kind."+string(k)))
	}
	if g := p.List.Filter.Group; g != "" {
		words = append(words, i18n.T(ctx, views.GroupKey(g, p.kind())))
	}
	for _, c := range p.chips(ctx) {
		words = append(words, c.Text)
	}
	if p.List.Filter.Job != "" {
		words = append(words, p.jobSentence(ctx))
	}
	return words
}
