package compose

import (
	"context"
	"slices"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// documentCheck is the result of checking one file against the account's rules and the recipient.
type documentCheck struct {
	Findings []dispatch.Finding
	Window   *dispatch.WindowText // nil: the address window is empty, or the page is not of this file
	Sheet    bool                 // the service adds a cover sheet
	Many     bool                 // sent to a list: there is no single recipient to compare the window with
	Shared   bool                 // everybody on the list gets this file
	Printed  bool
	Read     bool   // the file has been checked
	File     string // address prefix of the pictures of its pages
}

// fileChecks are the results for all files of a shipment.
type fileChecks map[dispatch.DocumentID]documentCheck

// checksOf checks all files of a shipment at once, so that the work grows linearly with their number.
func checksOf(s dispatch.Shipment, rules dispatch.PrintRules) fileChecks {
	all, findings := make(fileChecks, len(s.Documents)), s.Findings(rules)
	leading, leads := s.Leading()
	for _, d := range s.Documents {
		c := documentCheck{Findings: findings[d.ID], Sheet: rules.CoverSheet, Read: d.PDF() && d.Found == dispatch.DocumentFine,
			Printed: !s.DigitalOnly && !d.ExcludeFromPrint}
		if leads && leading.ID == d.ID && d.Reading != nil {
			c.Window = d.Reading.Window(rules, s.Recipient.Postal)
		}
		all[d.ID] = c
	}
	return all
}

// parsedDraft is a draft's form after parsing and validation.
type parsedDraft struct {
	content  dispatch.Shipment
	problems dispatch.Problems
	files    fileChecks
}

// parsed parses the form, once per page.
func (p ShipmentFormPage) parsed() ShipmentFormPage {
	if p.draft != nil {
		return p
	}
	d := &parsedDraft{}
	documents := p.Documents
	if p.Own.Document != "" {
		documents = append([]dispatch.Document{p.Own.AnyPart(dispatch.AnyPages)}, documents...)
	}
	d.content, d.problems = p.Form.Parse(p.Account.Generation(), documents, p.Now)
	d.problems = d.problems.With(p.Account.ValidateNumbers(d.content)).With(p.Account.ValidateSigning(d.content, p.Form.Sign))
	to := d.content
	if p.Many > 0 {
		to.Recipient = dispatch.Address{} // the recipient typed before the draft got a list
		d.problems = slices.DeleteFunc(d.problems, func(wrong dispatch.Problem) bool { return OfRow(wrong.Field) })
	}
	d.files = checksOf(to, p.Account.Rules())
	p.draft = d
	return p
}

// check is the result of checking a file of the draft.
func (p ShipmentFormPage) check(d dispatch.Document) documentCheck {
	c := p.parsed().draft.files[d.ID]
	c.Many, c.File = p.Many > 0, p.at("dokumenter", string(d.ID))
	return c
}

func (p ShipmentReviewPage) checks() fileChecks { return checksOf(p.Shipment, p.Account.Rules()) }

// check is the result of checking a file. The page sets p.files first.
func (p ShipmentReviewPage) check(d dispatch.Document) documentCheck {
	c := p.files[d.ID]
	c.Many, c.Shared = p.Many, p.Many // a divided file has no reading of its own
	c.File = p.at("dokumenter", string(d.ID))
	return c
}

// compared tells whether the recipient is shown beside the text of the address window: always where the window shows the page,
// behind a cover sheet only if the addresses differ.
func (c documentCheck) compared() bool { return c.Window != nil && (!c.Sheet || c.Window.Elsewhere) }

// toOne tells whether a file that goes to everybody on a list bears somebody's address.
func (c documentCheck) toOne() bool { return c.Shared && c.Window != nil && c.Window.Addressed() }

// severityLooks are colour and icon of a finding by severity; the words are in the catalogue.
var severityLooks = map[dispatch.Severity]views.Look{
	dispatch.SeverityStop:      {Color: "danger", Icon: "XMarkOctagon"},
	dispatch.SeverityWarning:   {Color: "warning", Icon: "ExclamationmarkTriangle"},
	dispatch.SeverityUnchecked: {Color: "neutral", Icon: "QuestionmarkCircle"},
	dispatch.SeverityTip:       {Color: "info", Icon: "InformationSquare"},
}

// severityLook is the tag of a finding.
func severityLook(ctx context.Context, s dispatch.Severity) views.Look {
	l := severityLooks[s]
	switch s {
	case dispatch.SeverityStop:
		l.Word = i18n.T(ctx, "check.stop")
	case dispatch.SeverityWarning:
		l.Word = i18n.T(ctx, "check.warning")
	case dispatch.SeverityUnchecked:
		l.Word = i18n.T(ctx, "check.unchecked")
	case dispatch.SeverityTip:
		l.Word = i18n.T(ctx, "severity.tip")
	}
	return l
}

// look is the verdict on the file: its most severe finding. A file that could not be checked completely is never called ready.
func (c documentCheck) look(ctx context.Context) views.Look {
	worst := dispatch.Worst(c.Findings)
	if c.toOne() && worst != dispatch.SeverityStop {
		worst = dispatch.SeverityWarning
	}
	switch {
	case worst == dispatch.SeverityStop, worst == dispatch.SeverityWarning, worst == dispatch.SeverityUnchecked:
		return severityLook(ctx, worst)
	case !c.Printed:
		return views.Look{Word: i18n.T(ctx, "check.ready_digital"), Color: "success", Icon: "CheckmarkCircle"}
	}
	return views.Look{Word: i18n.T(ctx, "check.ready"), Color: "success", Icon: "CheckmarkCircle"}
}

// weighty are the findings shown at once; the others are tips, which are folded.
func (c documentCheck) weighty() []dispatch.Finding { return c.which(false) }

func (c documentCheck) tips() []dispatch.Finding { return c.which(true) }

func (c documentCheck) which(tips bool) []dispatch.Finding {
	var list []dispatch.Finding
	for _, f := range c.Findings {
		if (f.Severity == dispatch.SeverityTip) == tips {
			list = append(list, f)
		}
	}
	return list
}

// findingText is the finding as a sentence, with its pages.
func findingText(ctx context.Context, f dispatch.Finding) string {
	what := i18n.T(ctx, "finding.what."+string(f.Check), findingArgs(f)...)
	if f.Severity == dispatch.SeverityUnchecked {
		what = i18n.T(ctx, "finding.unchecked."+string(f.Check))
	}
	if f.Pages.Count == 0 {
		return what
	}
	pages := dispatch.PagesText(f.Pages.First)
	if more := f.Pages.Count - len(f.Pages.First); more > 0 {
		pages = i18n.T(ctx, "finding.more", "Pages", pages, "N", more)
	}
	return what + " " + i18n.T(ctx, "finding.pages", "N", f.Pages.Count, "Pages", pages)
}

// placeText describes in words where a finding is, for people who cannot see the mark.
func placeText(ctx context.Context, p dispatch.Place) string {
	if len(p.Areas) == 0 {
		return i18n.T(ctx, "place.page", "Page", p.Page)
	}
	words := make([]string, len(p.Areas))
	for i, a := range p.Areas {
		down, across := p.Where(a)
		words[i] = i18n.T(ctx, "place.where."+down+"."+across)
	}
	slices.Sort(words)
	return i18n.T(ctx, "place.on_page", "Page", p.Page, "Where", views.ClaimsMany(ctx, slices.Compact(words)))
}

// length formats millimetres for an SVG.
func length(mm float64) string { return strconv.FormatFloat(mm, 'f', 1, 64) }

// findingCause tells why the finding matters, findingCure how to mend it.
func findingCause(ctx context.Context, f dispatch.Finding) string {
	if f.Severity == dispatch.SeverityUnchecked {
		return i18n.T(ctx, "finding.unchecked_why."+string(f.Check))
	}
	return i18n.T(ctx, "finding.why."+string(f.Check))
}

func findingCure(ctx context.Context, f dispatch.Finding) string {
	if f.Severity == dispatch.SeverityUnchecked {
		return i18n.T(ctx, "finding.unchecked_cure")
	}
	return i18n.T(ctx, "finding.cure."+string(f.Check))
}

func findingArgs(f dispatch.Finding) []any {
	return []any{"Fonts", text(f.Args["Fonts"]), "Version", text(f.Args["Version"]), "N", whole(f.Args["N"]), "Most", whole(f.Args["Most"])}
}

func text(v any) string { s, _ := v.(string); return s }

func whole(v any) int { n, _ := v.(int); return n }
