package table_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"utsending/internal/table"
)

// nasty are cells that files of tables are known to break on.
var nasty = [][]string{
	{"Rad i listen", "Mottaker", "Melding"},
	{"2", "12847901258", "Hei Åse – «velkommen» 😀"},
	{"3", "01890107881", "to\nlinjer og\ttabulator"},
	{"4", "+4670123456", `=HYPERLINK("http://example.no")`},
	{"5", "90000123", "<b>&amp;</b> ]]> \"sitert\" og 'enkel'"},
	{"6", "90000124", "  blanke foran og bak  "},
	{"7", "90000125", "_x000D_ og _x0041_x0042_, _x00 og _xpqrs_"},
	{"8", "90000126", "-1; @nei, 1.5"},
	{"9", "90000127", strings.Repeat("langt ", 250)},
	{"10", "", "etter en tom celle"},
}

func write(t *testing.T, begin func(io.Writer) (table.Writer, error), rows [][]string) []byte {
	t.Helper()
	var file bytes.Buffer
	out, err := begin(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := out.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestWorkbookIsReadByOthers opens our workbooks with a reader that nobody here wrote.
func TestWorkbookIsReadByOthers(t *testing.T) {
	t.Parallel()
	nasty := append([][]string{{"1", "90000120", "en \f og en \r"}}, nasty...) // a form feed is a character of SMS
	book, err := excelize.OpenReader(bytes.NewReader(write(t, table.NewXLSX, nasty)))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if got := book.GetSheetList(); !cmp.Equal(got, []string{"Resultat"}) {
		t.Errorf("got the sheets %q", got)
	}
	got, err := book.GetRows("Resultat")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(nasty, got); diff != "" {
		t.Errorf("another reader sees something else (-written +read):\n%s", diff)
	}
	for _, cell := range []string{"B3", "C4", "B4"} {
		kind, err := book.GetCellType("Resultat", cell)
		formula, _ := book.GetCellFormula("Resultat", cell)
		if err != nil || kind != excelize.CellTypeInlineString || formula != "" {
			t.Errorf("%s is of type %v with the formula %q, %v; want text", cell, kind, formula, err)
		}
	}
}

// TestLargeWorkbookIsReadByOthers: a result of as many rows as a list may have.
func TestLargeWorkbookIsReadByOthers(t *testing.T) {
	t.Parallel()
	n := 50_000
	if testing.Short() {
		n = 2000
	}
	rows := make([][]string, n)
	for i := range rows {
		rows[i] = []string{"1", "90000123", "Levert"}
	}
	book, err := excelize.OpenReader(bytes.NewReader(write(t, table.NewXLSX, rows)))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	read, err := book.Rows("Resultat")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for read.Next() {
		seen++
	}
	if err := read.Error(); err != nil || seen != n || read.Close() != nil {
		t.Errorf("another reader sees %d rows, %v; want %d", seen, err, n)
	}
}

// TestCSVIsReadByOthers: every cell comes back, and none of them is a formula.
func TestCSVIsReadByOthers(t *testing.T) {
	t.Parallel()
	file := write(t, table.NewCSV, nasty)
	content, ok := bytes.CutPrefix(file, []byte("\ufeff"))
	if !ok || !bytes.Contains(content, []byte("\r\n")) {
		t.Errorf("no byte order mark, or other line ends: %q", file[:20])
	}
	in := csv.NewReader(bytes.NewReader(content))
	in.Comma = ';'
	got, err := in.ReadAll()
	if err != nil || len(got) != len(nasty) {
		t.Fatalf("got %d rows, %v", len(got), err)
	}
	for i, row := range got {
		for j, cell := range row {
			if strings.ContainsAny(cell[:min(len(cell), 1)], "=+-@\t\r\n") {
				t.Errorf("%q begins a formula", cell)
			}
			if want := nasty[i][j]; strings.TrimPrefix(cell, "'") != want {
				t.Errorf("got %q, want %q", cell, want)
			}
		}
	}
}

// TestCSVDividedElsewhere: opened by a spreadsheet that divides at commas, nothing in the middle of a cell becomes a formula that does
// something; what people write every day stays as it is.
func TestCSVDividedElsewhere(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		`Hei, =HYPERLINK("http://example.no")`:   `Hei, '=HYPERLINK("http://example.no")`,
		"Hei,=cmd|'/C calc'!A0,":                 "Hei,'=cmd|'/C calc'!A0,",
		"a\n=WEBSERVICE(A1)":                     "a\n'=WEBSERVICE(A1)",
		"a\t\u200b\u00a0@SUM(1)":                 "a\t\u200b\u00a0'@SUM(1)",
		`a,"＝cmd｜x`:                              `a,"'＝cmd｜x`,
		"a,-1,+2,'=\\\\example.no\\x":            "a,'-1,'+2,''=\\\\example.no\\x",
		"Prisen er 500,- kroner":                 "Prisen er 500,- kroner",
		"Prisen (med mva) er 500,- kroner":       "Prisen (med mva) er 500,- kroner",
		"Husk:\n- pass\n- mat":                   "Husk:\n- pass\n- mat",
		"Ring oss, +47 41 10 00 01, eller skriv": "Ring oss, +47 41 10 00 01, eller skriv",
		"a;=HYPERLINK(1)":                        "a;=HYPERLINK(1)",
	} {
		if got := table.GuardWithin(cell); got != want {
			t.Errorf("%q: got %q, want %q", cell, got, want)
		}
		for _, one := range []string{cell, want} { // a text that looks guarded comes back too
			if got := table.UnguardWithin(table.GuardWithin(one)); got != one {
				t.Errorf("%q comes back as %q", one, got)
			}
		}
		if file := string(write(t, table.NewCSV, [][]string{{"1", cell}})); !strings.Contains(strings.ReplaceAll(file, `""`, `"`), strings.ReplaceAll(want, "\n", "\r\n")) {
			t.Errorf("%q is written as %q", cell, file)
		}
	}
}
