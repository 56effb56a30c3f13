package recipients_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"utsending/internal/recipients"
)

// FuzzWorkbook is FuzzOpen for what is inside a workbook, which no change of its packed bytes would reach: the sheet, the shared
// texts, the styles, and the parts that say where these are.
func FuzzWorkbook(f *testing.F) {
	sample := unpacked(f, workbook(f, []any{"Navn", "Mobil", "Fødselsnummer"}, []any{"Kari", 91234567, "12847901258"}, []any{"Ola", 4.5e7, 1.5}))
	sheet, shared, styles, book := sample["xl/worksheets/sheet1.xml"], sample["xl/sharedStrings.xml"], sample["xl/styles.xml"], sample["xl/workbook.xml"]
	f.Add(sheet, shared, styles, book)
	for _, cells := range []string{
		`<row r="1"><c r="A1" t="inlineStr"><is><t>Mobil</t></is></c></row><row r="5"><c r="A5"><v>91234567</v></c></row>`, `<row><c><v>91234567</v></c><c t="s"><v>99</v></c></row>`,
		`<row r="1"><c r="XFD1"><v>1</v></c><c r="A1" t="b"><v>1</v></c></row>`, `<row r="0"><c r="0"/></row><row r="-1" hidden="1"/>`, `<row r="1"><c r="A1" t="str"><f>1</f><v>_x0000_91234567</v></c></row>`,
		`<row r="1048577"><c r="A1" s="999"><v>1e308</v></c></row>`, `<row r="1"><c r="B1" t="e"><v>#N/A</v></c><c r="A1"><v>NaN</v></c></row>`,
	} {
		f.Add(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+cells+`</sheetData></worksheet>`, shared, styles, book)
	}
	f.Add(sheet, `<sst><si><t>91234567</t><rPh><t>x</t></rPh></si><si><r><t>a</t></r><r><t>b</t></r></si></sst>`, `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[$-414]0,00 &quot;kr&quot;;;;@"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`, book)
	f.Fuzz(func(t *testing.T, sheet, shared, styles, book string) {
		parts := map[string]string{}
		for name, content := range sample {
			parts[name] = content
		}
		parts["xl/worksheets/sheet1.xml"], parts["xl/sharedStrings.xml"], parts["xl/styles.xml"], parts["xl/workbook.xml"] = sheet, shared, styles, book
		checkList(t, packed(t, parts))
	})
}

// checkList opens a list and goes through it twice: its rows add up, and are those of a list that may be stored and shown, or it is
// refused with a reason.
func checkList(t *testing.T, content string) {
	t.Helper()
	l, err := open(content)
	if err != nil {
		if !strings.HasPrefix(refusal(err), "problem.list.") {
			t.Fatal(err)
		}
		return
	}
	for _, text := range append([]string{l.Sheet}, l.Headings...) {
		storable(t, text)
	}
	pass := recipients.Pass{Template: recipients.ParseTemplate("Hei ((navn))")}
	first, sum, err := through(l, pass)
	again, sumAgain, errAgain := through(l, pass)
	if refusal(err) != refusal(errAgain) || sum != sumAgain || strings.Join(first, "\n") != strings.Join(again, "\n") {
		t.Fatalf("first %q %v, then %q %v", first, err, again, errAgain)
	}
	if err != nil && !strings.HasPrefix(refusal(err), "problem.list.") {
		t.Fatal(err)
	}
	if err == nil && (sum.Rows != sum.Good+sum.Bad+sum.Duplicates || len(first) != sum.Rows || sum.Rows > recipients.MaxRows || len(l.Headings) > recipients.MaxColumns) {
		t.Fatalf("%d rows: %+v", len(first), sum)
	}
	_, _ = l.Each(pass, func(r recipients.Row) error {
		for _, cell := range r.Cells {
			storable(t, cell)
		}
		storable(t, r.Text)
		return nil
	})
}

// storable requires valid text without control characters but line breaks and tabs.
func storable(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }) {
		t.Fatalf("text %q", text)
	}
}

func unpacked(f *testing.F, content string) map[string]string {
	f.Helper()
	z, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	if err != nil {
		f.Fatal(err)
	}
	parts := map[string]string{}
	for _, file := range z.File {
		r, err := file.Open()
		if err != nil {
			f.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			f.Fatal(err)
		}
		parts[file.Name] = string(part)
	}
	return parts
}

func packed(t *testing.T, parts map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
