package compose

import (
	"encoding/csv"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
)

// sampleLists are sample lists by file name, with people who do not exist.
var sampleLists = map[string][][]string{
	"eksempel-sms.csv": {
		{"Fødselsnummer", "Fornavn", "Dag", "Klokkeslett"},
		{"12847800155", "Ola", "torsdag 3. desember", "18.00"},
		{"02813299990", "Kari", "fredag 4. desember", "17.30"},
	},
	"eksempel-brev.csv": {
		{"Fødselsnummer", "Navn", "Adresse", "Postnummer", "Poststed", "Saksnummer"},
		{"12847800155", "Ola Testesen", "Storgata 1", "7713", "Steinkjer", "2026/12"},
		{"02813299990", "Kari Testesen", "Kirkegata 2", "7713", "Steinkjer", "2026/13"},
	},
}

// SampleList returns a sample list with semicolons and a byte order mark, as Norwegian spreadsheets write it.
func (s *Pages) SampleList(c echo.Context, _ frame.Visit) error {
	name := path.Base(c.Path())
	var b strings.Builder
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = ';', true
	if err := w.WriteAll(sampleLists[name]); err != nil {
		return err
	}
	frame.Attach(c, "text/csv; charset=utf-8", name)
	return c.String(http.StatusOK, b.String())
}
