package compose

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// PDFHelpPage explains the account's rules for PDFs.
type PDFHelpPage struct{ views.Page }

func (p PDFHelpPage) rules() dispatch.PrintRules { return p.Account.Rules() }

// of returns the checks of a severity that apply to the account's files.
func (p PDFHelpPage) of(s dispatch.Severity) (checks []dispatch.Check) {
	rules := p.rules()
	for _, c := range dispatch.ChosenChecks() {
		inWindow := c == dispatch.CheckNumber || c == dispatch.CheckBlank
		if rules.Of(c) == s && !(inWindow && rules.CoverSheet) && !(c == dispatch.CheckInside && !rules.CoverSheet) && !(c == dispatch.CheckPages && rules.MaxPages == 0) {
			checks = append(checks, c)
		}
	}
	return checks
}

// checklist is what to check in a document before it is saved as a PDF.
func (p PDFHelpPage) checklist(ctx context.Context) []string {
	r := p.rules()
	list := []string{
		i18n.T(ctx, "pdf_help.size", "Smaller", r.Smaller),
		i18n.T(ctx, "pdf_help.margin", "Side", r.SideMargin, "End", r.EndMargin),
		i18n.T(ctx, "pdf_help.barcode", "Width", r.BarcodeWidth, "From", dispatch.BarcodeTop, "To", dispatch.BarcodeBottom),
	}
	if r.CoverSheet {
		list = append(list, i18n.T(ctx, "pdf_help.sheet"))
	} else {
		list = append(list, i18n.T(ctx, "pdf_help.window", "Width", r.WindowWidth, "Height", r.WindowHeight, "Left", r.WindowLeft, "Top", r.WindowTop))
	}
	if r.MaxPages > 0 {
		list = append(list, i18n.T(ctx, "pdf_help.pages", "N", r.MaxPages))
	}
	return append(list, i18n.T(ctx, "pdf_help.fonts"), i18n.T(ctx, "pdf_help.access"), i18n.T(ctx, "pdf_help.password"), i18n.T(ctx, "pdf_help.hidden"))
}
