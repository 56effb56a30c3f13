// Package table streams tables into files: CSV for Norwegian spreadsheets, and .xlsx.
package table

import (
	"archive/zip"
	"encoding/csv"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer streams a table row by row. Close writes the end; it does not close the underlying writer.
type Writer interface {
	Row(cells ...string) error
	Close() error
}

// Safe puts an apostrophe before a cell that a spreadsheet would take for a formula, and before a long number whose leading zero or
// plus it would drop.
func Safe(cell string) string {
	number := len(cell) >= 8 && cell[0] == '0' && strings.Trim(cell, "0123456789") == ""
	if number || Formula(cell) {
		return "'" + cell
	}
	return cell
}

// Formula tells whether a spreadsheet would take a cell of a CSV file for a formula (CSV injection). It passes over blanks and what has
// no width before the sign, and in some languages takes the signs in full width too.
func Formula(cell string) bool {
	if cell != "" && strings.IndexByte("\t\r\n", cell[0]) >= 0 {
		return true
	}
	sign, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) }))
	return strings.ContainsRune("=+-@＝＋－＠", sign)
}

// within matches what another spreadsheet may take for the beginning of a cell, in the middle of one of ours, as far as a formula's sign: it
// divides at commas, tabs and line breaks, and not at our semicolons. Apostrophes before the sign are ours, or guarded like ours.
var within = regexp.MustCompile(`[,\t\r\n][\s\p{Z}\p{Cf}\p{Cc}"]*('*)[=+\-@＝＋－＠]`)

// doing are characters of formulas that call a function or another program, or fetch from elsewhere. Without one a formula only
// calculates: the minus of "500,-" and the dash of an enumeration stay as they are.
const doing = "(|!#[{\\（｜！＃［｛＼"

// GuardWithin puts an apostrophe before what would be a formula in the middle of a cell if a spreadsheet divided our file at other
// characters than semicolons.
func GuardWithin(cell string) string {
	return atSigns(cell, func(apostrophes string) string { return apostrophes + "'" })
}

// UnguardWithin removes the apostrophes that GuardWithin has added.
func UnguardWithin(cell string) string {
	return atSigns(cell, func(apostrophes string) string { return strings.TrimPrefix(apostrophes, "'") })
}

// atSigns changes the apostrophes before each sign of a formula that does something.
func atSigns(cell string, change func(string) string) string {
	if !strings.ContainsAny(cell, ",\t\r\n") { // most cells: nothing divides them
		return cell
	}
	var b strings.Builder
	from := 0
	for _, at := range within.FindAllStringSubmatchIndex(cell, -1) {
		if strings.ContainsAny(cell[at[1]:], doing) {
			b.WriteString(cell[from:at[2]] + change(cell[at[2]:at[3]]))
			from = at[3]
		}
	}
	return b.String() + cell[from:]
}

// NewCSV begins a CSV file: UTF-8 with a byte order mark, semicolons, CRLF, and no formulas.
func NewCSV(w io.Writer) (Writer, error) {
	out := csv.NewWriter(w)
	out.Comma, out.UseCRLF = ';', true
	_, err := io.WriteString(w, "\ufeff")
	return csvWriter{out}, err
}

type csvWriter struct{ out *csv.Writer }

// lines are line breaks as the writer wants them: it drops a carriage return that stands alone.
var lines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (c csvWriter) Row(cells ...string) error {
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = Safe(GuardWithin(strings.ToValidUTF8(lines.Replace(cell), "\ufffd")))
	}
	return c.out.Write(safe)
}

func (c csvWriter) Close() error {
	c.out.Flush()
	return c.out.Error()
}

// The parts of a workbook with one sheet, as ECMA-376 requires them, besides the sheet itself.
var workbook = []struct{ name, content string }{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Resultat" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
}

// NewXLSX begins a workbook with one sheet. Every cell is text, so that nothing is a formula and no number loses a digit.
func NewXLSX(w io.Writer) (Writer, error) {
	z := zip.NewWriter(w)
	for _, part := range workbook {
		out, err := z.Create(part.name)
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(out, xml.Header+part.content); err != nil {
			return nil, err
		}
	}
	sheet, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(sheet, xml.Header+`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	return &xlsxWriter{z, sheet}, err
}

type xlsxWriter struct {
	zip   *zip.Writer
	sheet io.Writer
}

func (x *xlsxWriter) Row(cells ...string) error {
	var b strings.Builder
	b.WriteString("<row>")
	for _, cell := range cells {
		b.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
		_ = xml.EscapeText(&b, []byte(escape(strings.ToValidUTF8(cell, "\ufffd")))) // a Builder never fails
		b.WriteString(`</t></is></c>`)
	}
	b.WriteString("</row>")
	_, err := io.WriteString(x.sheet, b.String())
	return err
}

// escape encodes a character that XML cannot hold as _xHHHH_, and the underscore of a text that looks like that
// (ECMA-376, ST_Xstring).
func escape(cell string) string {
	var b strings.Builder
	for i, r := range cell {
		switch {
		case r < ' ' && r != '\t' && r != '\n', r == '_' && looksEscaped(cell[i:]):
			fmt.Fprintf(&b, "_x%04X_", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// looksEscaped tells whether a text begins like an escaped character.
func looksEscaped(text string) bool {
	if len(text) < 7 || text[1] != 'x' || text[6] != '_' {
		return false
	}
	_, err := hex.DecodeString(text[2:6])
	return err == nil
}

func (x *xlsxWriter) Close() error {
	if _, err := io.WriteString(x.sheet, "</sheetData></worksheet>"); err != nil {
		return err
	}
	return x.zip.Close()
}
