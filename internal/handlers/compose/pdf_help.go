package compose

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/docx"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Show explains the account's rules for PDFs.
func (s *PDFHelp) Show(c echo.Context, v frame.Visit) error {
	p := compose.PDFHelpPage{Page: s.Page(c, v, "pdf_help.title")}
	p.Section, p.Narrow = views.SectionNewShipment, true
	return frame.Show(c, http.StatusOK, compose.PDFHelp(p))
}

// WordTemplate returns a Word template that keeps the account's rules.
func (s *PDFHelp) WordTemplate(c echo.Context, v frame.Visit) error {
	return s.writeTemplate(c, v.Account.Rules())
}

// PublicWordTemplate returns a Word template for the default rules.
func (s *PDFHelp) PublicWordTemplate(c echo.Context) error {
	return s.writeTemplate(c, dispatch.DefaultPrintRules())
}

func (s *PDFHelp) writeTemplate(c echo.Context, rules dispatch.PrintRules) error {
	frame.Attach(c, docx.Kind, "brevmal.docx")
	if c.Request().Method == http.MethodHead {
		return nil
	}
	return docx.Write(c.Response(), rules, templateWords(s.Languages.Default))
}

func templateWords(in *i18n.Catalogue) docx.Words {
	return docx.Words{
		Language: in.Lang() + "-NO", Title: in.Text("docx.title"), Heading: in.Text("docx.heading"),
		Address: []string{in.Text("docx.address.1"), in.Text("docx.address.2"), in.Text("docx.address.3")},
		Body:    []string{in.Text("docx.body.1"), in.Text("docx.body.2")},
	}
}
