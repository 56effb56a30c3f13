package recipients_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"utsending/internal/recipients"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func sheetRows(t testing.TB, f *excelize.File, sheet string, rows ...[]any) {
	t.Helper()
	for i, row := range rows {
		must(t, f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row))
	}
}

var four = [][]any{{"Fornavn", "Mobil", "Svart"}, {"Åse", 41100001, "nei"}, {"Bjørn", 41100002, "ja"}, {"Kåre", 41100003, "ja"}, {"Lise", 41100004, "nei"}}

// TestHiddenIsNotSentTo: hidden rows and columns of a workbook are skipped.
func TestHiddenIsNotSentTo(t *testing.T) {
	t.Parallel()
	hideRow := func(f *excelize.File, rows ...int) {
		for _, row := range rows {
			must(t, f.SetRowVisible("Sheet1", row, false))
		}
	}
	edit := func(content, old, new string) string {
		return change(t, content, func(name string, part []byte) []byte {
			if name == sheetPart {
				if !bytes.Contains(part, []byte(old)) {
					t.Fatalf("%s is not in %s", old, part)
				}
				return bytes.Replace(part, []byte(old), []byte(new), 1)
			}
			return part
		})
	}
	plain := workbook(t, four...)
	two := []string{"2: 41100001 Hei Åse", "5: 41100004 Hei Lise"}
	for _, test := range []struct {
		name, content string
		want          []string
	}{
		{"rows filtered away", write(t, func(f *excelize.File) { sheetRows(t, f, "Sheet1", four...); hideRow(f, 3, 4) }), two},
		{"rows without height", edit(edit(plain, `<row r="3"`, `<row r="3" ht="0" customHeight="1"`), `<row r="4"`, `<row r="4" hidden="true"`), two},
		{"a hidden title", write(t, func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", append([][]any{{"Skjult mobil", "x", "y"}}, four[:3]...)...)
			hideRow(f, 1)
		}), []string{"3: 41100001 Hei Åse", "4: 41100002 Hei Bjørn"}},
		{"a hidden column of numbers before the shown one", write(t, func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Mobil privat", "Fornavn", "Mobil"}, []any{49900001, "Åse", 41100001})
			must(t, f.SetColVisible("Sheet1", "A", false))
		}), []string{"2: 41100001 Hei Åse"}},
		{"a column without width", edit(workbook(t, []any{"Mobil", "Fornavn", "Mobil"}, []any{49900001, "Åse", 41100001}), `<sheetData>`, `<cols><col min="1" max="1" width="0" customWidth="1"/></cols><sheetData>`), []string{"2: 41100001 Hei Åse"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := through(mustOpen(t, test.content), recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(refusal(err), diff)
			}
		})
	}
}

func TestMergedCells(t *testing.T) {
	t.Parallel()
	appointment := write(t, func(f *excelize.File) {
		sheetRows(t, f, "Sheet1", []any{"Fornavn", "Mobil", "Time"}, []any{"Åse", 41100001, "mandag kl. 10"}, []any{"Per", 41100002}, []any{"Kåre", 41100003}, []any{"Lise", 41100004})
		must(t, f.MergeCell("Sheet1", "C2", "C4"), f.MergeCell("Sheet1", "A7", "C9"))
	})
	got, _, err := through(mustOpen(t, appointment), recipients.Pass{Template: recipients.ParseTemplate("((fornavn)): ((time))")})
	want := []string{"2: 41100001 Åse: mandag kl. 10", "3: 41100002 Per: mandag kl. 10", "4: 41100003 Kåre: mandag kl. 10", "5: !Time problem.row.field"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	title := write(t, func(f *excelize.File) {
		sheetRows(t, f, "Sheet1", []any{"Innkalling vår 2027"}, []any{"Fornavn", "Mobil"}, []any{"Åse", 41100001})
		must(t, f.MergeCell("Sheet1", "A1", "B1"))
	})
	got, _, err = through(mustOpen(t, title), recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
	if diff := cmp.Diff([]string{"3: 41100001 Hei Åse"}, got); diff != "" || err != nil {
		t.Error(refusal(err), diff)
	}
}

// TestNamesOfParts: a part is found by its relationship, whatever the case of its name.
func TestNamesOfParts(t *testing.T) {
	t.Parallel()
	plain := workbook(t, four[:3]...)
	rename := func(old, new string, also ...string) string {
		replace := strings.NewReplacer(also...)
		return renamed(t, plain, func(name string) string { return strings.ReplaceAll(name, old, new) }, replace)
	}
	for name, content := range map[string]string{
		"capital texts":        rename("sharedStrings", "SharedStrings"),
		"a capital folder":     rename("xl/", "XL/"),
		"backslashes":          renamed(t, plain, func(name string) string { return strings.ReplaceAll(name, "/", `\`) }, strings.NewReplacer()),
		"texts elsewhere":      rename("xl/sharedStrings.xml", "xl/data/texts.xml", "sharedStrings.xml", "data/texts.xml"),
		"a workbook elsewhere": rename("xl/workbook.xml", "xl/bok.xml", "xl/workbook.xml", "xl/bok.xml"),
		"rels of the workbook": rename("xl/_rels/workbook.xml.rels", "xl/_Rels/Workbook.xml.rels"),
	} {
		l, err := open(content)
		if err != nil {
			t.Errorf("%s: %s", name, refusal(err))
			continue
		}
		got, _, err := through(l, recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
		if diff := cmp.Diff([]string{"2: 41100001 Hei Åse", "3: 41100002 Hei Bjørn"}, got); diff != "" || err != nil {
			t.Error(name, refusal(err), diff)
		}
	}
}

// TestTheSheetWithTheList is read, wherever it is in the workbook; of two, the active one.
func TestTheSheetWithTheList(t *testing.T) {
	t.Parallel()
	second := func(fill func(*excelize.File)) string {
		return write(t, func(f *excelize.File) {
			_, err := f.NewSheet("Liste")
			must(t, err)
			sheetRows(t, f, "Liste", four[:2]...)
			fill(f)
		})
	}
	for name, content := range map[string]string{
		"an empty one first": second(func(*excelize.File) {}),
		"notes first": second(func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Denne boka er til deg"}, []any{"Se det andre arket"})
		}),
		"the open one": second(func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Fornavn", "Mobil"}, []any{"Gammel", 49900001})
			f.SetActiveSheet(1)
		}),
		"a very hidden one first": second(func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Fornavn", "Mobil"}, []any{"Skjult", 49900001})
			f.SetActiveSheet(1)
			must(t, f.SetSheetVisible("Sheet1", false, true))
		}),
		"a diagram first": change(t, second(func(f *excelize.File) {
			must(t, f.AddChartSheet("Diagram", &excelize.Chart{Type: excelize.Col, Series: []excelize.ChartSeries{{Values: "Liste!$B$2:$B$2"}}}))
			must(t, f.DeleteSheet("Sheet1"))
		}), func(name string, part []byte) []byte {
			if name != "xl/workbook.xml" {
				return part
			}
			diagram := regexp.MustCompile(`<sheet name="Diagram"[^>]*>(</sheet>)?`).Find(part)
			part = bytes.Replace(part, diagram, nil, 1)
			return bytes.Replace(part, []byte("<sheets>"), append([]byte("<sheets>"), diagram...), 1)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := open(content)
			if err != nil {
				t.Fatal(refusal(err))
			}
			got, _, err := through(l, recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
			if diff := cmp.Diff([]string{"2: 41100001 Hei Åse"}, got); diff != "" || err != nil || l.Sheet != "Liste" {
				t.Error(l.Sheet, refusal(err), diff)
			}
		})
	}
}

// TestWhatACellShows is what is sent.
func TestWhatACellShows(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	type shown struct {
		value  any
		format string
		want   string
	}
	cells := []shown{
		{49.949999999999996, "", "49,95"}, {0.1 + 0.2, "", "0,3"}, {1450.1000000000001, "", "1450,1"}, {1450, "0.00", "1450,00"}, {99.5, "0.00", "99,50"}, {12500, "#,##0", "12 500"}, {1234567.891, "#,##0.00", "1 234 567,89"},
		{0.25, "0 %", "25 %"}, {0.255, "0.0%", "25,5%"}, {1450.5, `#,##0.00 "kr"`, "1 450,50 kr"}, {1450.5, `"kr" #,##0.00`, "kr 1 450,50"}, {-250.0, `#,##0.00;[Red]-#,##0.00`, "-250,00"}, {-250.0, `0;(0)`, "(250)"}, {-250.0, "0.0", "-250,0"}, {0.0, `0;-0;"ingen"`, "ingen"},
		{1.5, "[h]:mm", "36:00"}, {1.5, "[hh]:mm:ss", "36:00:00"}, {1.5, "[mm]", "2160"}, {0.5625, "hh:mm", "13:30"}, {0.5625, "hh.mm", "13.30"}, {0.5625, "hh:mm AM/PM", "01:30 PM"}, {0.5625, `"kl." hh.mm`, "kl. 13.30"},
		{46351, "mmmm yyyy", "november 2026"}, {46351, "[$-414]d. mmmm;@", "25. november"}, {46351, "dddd", "onsdag"}, {46351, "mmmm", "november"}, {46351, "ddd d. mmm", "ons 25. nov"}, {46351, "yyyy", "2026"}, {46351, "yyyy-mm-dd", "2026-11-25"}, {46351, "d/m/yy", "25.11.26"},
		{46351.4375, "dd/mm/yyyy hh:mm", "25.11.2026 10:30"}, {46351.4375, `dddd d. mmmm "kl." hh.mm`, "onsdag 25. november kl. 10.30"}, {48, `"uke" 0`, "uke 48"}, {1450.5, "Standard", "1450,5"}, {1450.5, "General", "1450,5"}, {46351, "Standard", "46351"},
		{2.5, "# ?/?", "2 1/2"}, {0.75, "# ?/?", "3/4"}, {12500, "0.0,", "12,5"}, {1e21, "", "1E+21"}, {150, "0000", "0150"}, {41100001, "000 00 000", "411 00 001"}, {12345, "0.00E+00", "1,23E+04"}, {7, "@", "7"},
		{true, "", "SANN"}, {false, "", "USANN"}, {59, "dd.mm.yyyy", "28.02.1900"}, {-1, "dd.mm.yyyy", "-1"}, {0.000012, "", "0,000012"}, {1234567890123456.0, "", "1,23457E+15"},
	}
	must(t, f.SetSheetRow("Sheet1", "A1", &[]any{"Mobil", "Verdi"}))
	for i, c := range cells {
		at := fmt.Sprintf("B%d", i+2)
		must(t, f.SetCellValue("Sheet1", fmt.Sprintf("A%d", i+2), 41100001+i), f.SetCellValue("Sheet1", at, c.value))
		if c.format != "" {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &c.format})
			must(t, err, f.SetCellStyle("Sheet1", at, at, style))
		}
	}
	b, err := f.WriteToBuffer()
	must(t, err)
	i := 0
	_, err = mustOpen(t, b.String()).Each(recipients.Pass{}, func(r recipients.Row) error {
		if got := r.Cells[1]; got != cells[i].want {
			t.Errorf("%v as %q: got %q, want %q", cells[i].value, cells[i].format, got, cells[i].want)
		}
		i++
		return nil
	})
	if err != nil || i != len(cells) {
		t.Error(i, err)
	}
}

// TestNumbersOfPhonesAreNotFormatted: in a column of numbers, the value is read, not its format.
func TestNumbersOfPhonesAreNotFormatted(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	must(t, f.SetCellValue("Sheet1", "A1", "Mobil"))
	for i, format := range []string{"0.00", "#,##0", "#,##0.00 \"kr\"", "0.00E+00", "000 00 000", `"+47" 0`} {
		at := fmt.Sprintf("A%d", i+2)
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		must(t, err, f.SetCellValue("Sheet1", at, 41100001+i), f.SetCellStyle("Sheet1", at, at, style))
	}
	b, err := f.WriteToBuffer()
	must(t, err)
	got, _, err := through(mustOpen(t, b.String()), recipients.Pass{})
	want := []string{"2: 41100001", "3: 41100002", "4: 41100003", "5: 41100004", "6: 41100005", "7: 41100006"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// TestCellsOfOtherKinds: dates as text, error values and booleans.
func TestCellsOfOtherKinds(t *testing.T) {
	t.Parallel()
	content := change(t, workbook(t, []any{"Mobil", "Time"}, []any{41100001, "x"}, []any{41100002, "y"}, []any{41100003, "z"}, []any{41100004, "w"}), func(name string, part []byte) []byte {
		if name != sheetPart {
			return part
		}
		for i, cell := range []string{`t="d"><v>2026-12-01T10:30:00</v>`, `t="d"><v>2026-12-02</v>`, `t="e"><v>#N/A</v>`, `t="str"><f>X</f><v>#VERDI!</v>`} {
			at := fmt.Sprintf(`<c r="B%d" `, i+2)
			before, after, ok := bytes.Cut(part, []byte(at))
			_, after, closed := bytes.Cut(after, []byte("</c>"))
			if !ok || !closed {
				t.Fatal(string(part))
			}
			part = append(append(append([]byte{}, before...), []byte(at+cell+"</c>")...), after...)
		}
		return part
	})
	got, _, err := through(mustOpen(t, content), recipients.Pass{Template: recipients.ParseTemplate("Time ((time))")})
	want := []string{"2: 41100001 Time 01.12.2026 10:30", "3: 41100002 Time 02.12.2026", "4: !Time problem.row.error", "5: !Time problem.row.error"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
