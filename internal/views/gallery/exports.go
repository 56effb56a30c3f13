package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// exportExhibits are lists as files: before they are asked for, while they are made, and after.
func exportExhibits() []exhibit {
	ask := func(change func(*follow.AskExportPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.AskExportPage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("export.title")), Format: dispatch.FormatXLSX}
			p.Action, p.Back = views.AccountPath(p.Account, "eksport"), views.AccountPath(p.Account, "utsendinger")
			change(&p)
			return follow.AskExport(p)
		}
	}
	page := func(f frame, change func(*dispatch.Export)) follow.ExportPage {
		p := follow.ExportPage{Page: f.onAccount(caseworker(), views.SectionItems, f.text("export.page"))}
		p.Export = dispatch.Export{ID: sampleID(900), Format: dispatch.FormatXLSX, CreatedAt: ago(time.Minute), ExpiresAt: galleryNow.Add(23 * time.Hour), Expected: 1200}
		change(&p.Export)
		return p
	}
	shown := func(change func(*dispatch.Export)) func(frame) templ.Component {
		return func(f frame) templ.Component { return follow.Export(page(f, change)) }
	}
	return []exhibit{
		{path: "export/ask", says: "how many rows, and what is chosen", show: ask(func(p *follow.AskExportPage) {
			p.Count, p.Chosen = dispatch.GroupCount{N: 1200}, []string{"Forsendelser", "Fra 01.11.2026"}
		})},
		{path: "export/ask-one", says: "one row", show: ask(func(p *follow.AskExportPage) { p.Count, p.Format = dispatch.GroupCount{N: 1}, dispatch.FormatCSV })},
		{path: "export/ask-many", says: "more rows than are counted", show: ask(func(p *follow.AskExportPage) { p.Count = dispatch.GroupCount{N: 10_000, Above: true} })},
		{path: "export/begun", says: "one row is written", show: shown(func(e *dispatch.Export) { e.Rows = 1 })},
		{path: "export/half", says: "some rows are written", show: shown(func(e *dispatch.Export) { e.Rows = 500 })},
		{path: "export/part", says: "the part that keeps itself fresh", part: true, show: func(f frame) templ.Component {
			return follow.ExportLive(page(f, func(e *dispatch.Export) { e.Rows = 500 }))
		}},
		{path: "export/unknown", says: "nobody knows how many there are", show: shown(func(e *dispatch.Export) { e.Rows, e.Expected = 120_000, -1 })},
		{path: "export/done", says: "a workbook that is ready", show: shown(func(e *dispatch.Export) { e.Rows, e.Size, e.Done = 1200, 182_000, true })},
		{path: "export/done-one", says: "one row as CSV", show: shown(func(e *dispatch.Export) { e.Rows, e.Size, e.Done, e.Format = 1, 400, true, dispatch.FormatCSV })},
		{path: "export/failed", says: "it could not be made", show: shown(func(e *dispatch.Export) { e.Failed = true })},
	}
}
