package recipients_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"utsending/internal/recipients"
)

// inSheet replaces something of the first sheet, which must be there.
func inSheet(t testing.TB, content, old, new string) string {
	t.Helper()
	return change(t, content, func(name string, part []byte) []byte {
		if name != sheetPart {
			return part
		}
		if !bytes.Contains(part, []byte(old)) {
			t.Fatalf("%s is not in %s", old, part)
		}
		return bytes.ReplaceAll(part, []byte(old), []byte(new))
	})
}

// TestWaysToHide: a row or a column of no height or width is not shown, however that is written; a range whose first row is
// filtered away still shows its value.
func TestWaysToHide(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		want    []string
	}{
		"no height, with decimals": {inSheet(t, workbook(t, four...), `<row r="3"`, `<row r="3" ht="0.0" customHeight="1"`), []string{"2: 41100001 Hei Åse", "4: 41100003 Hei Kåre", "5: 41100004 Hei Lise"}},
		"no width, with decimals": {inSheet(t, workbook(t, []any{"Mobil", "Fornavn", "Mobil"}, []any{49900001, "Åse", 41100001}), `<sheetData>`, `<cols><col min="1" max="1" width="0.00" customWidth="1"/></cols><sheetData>`),
			[]string{"2: 41100001 Hei Åse"}},
		"a group that is folded": {inSheet(t, workbook(t, four...), `<row r="4"`, `<row r="4" outlineLevel="1" hidden="1"`), []string{"2: 41100001 Hei Åse", "3: 41100002 Hei Bjørn", "5: 41100004 Hei Lise"}},
		"the first row of a range": {write(t, func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Mobil", "Fornavn"}, []any{41100001, "Åse"}, []any{41100002}, []any{41100003, "Kåre"})
			must(t, f.MergeCell("Sheet1", "B2", "B3"), f.SetRowVisible("Sheet1", 2, false))
		}), []string{"3: 41100002 Hei Åse", "4: 41100003 Hei Kåre"}},
		"numbers by a format": {write(t, func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Mobil", "Fornavn"}, []any{41100001, "Åse"}, []any{41100002, "Per"})
			hidden := ";;;"
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &hidden})
			must(t, err, f.SetCellStyle("Sheet1", "A3", "B3", style))
		}), []string{"2: 41100001 Hei Åse"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := through(mustOpen(t, tt.content), recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Error(refusal(err), diff)
			}
		})
	}
}

// TestMoreMergedCells: headings of two rows, a name over two numbers, and two people with one number.
func TestMoreMergedCells(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rows   [][]any
		merges []string
		text   string
		want   []string
	}{
		"headings of two rows": {[][]any{{"Elev", "Foresatt"}, {nil, "Fornavn", "Mobil"}, {"Liv", "Åse", 41100001}, {"Per", "Kåre", 41100002}}, []string{"A1:A2", "B1:C1"}, "((fornavn)) for ((elev))",
			[]string{"3: 41100001 Åse for Liv", "4: 41100002 Kåre for Per"}},
		"a name over two numbers": {[][]any{{"Fornavn", "Mobil"}, {"Åse", 41100001}, {nil, 41100002}, {"Kåre", 41100003}}, []string{"A2:A3"}, "Hei ((fornavn))",
			[]string{"2: 41100001 Hei Åse", "3: 41100002 Hei Åse", "4: 41100003 Hei Kåre"}},
		"a number over two names": {[][]any{{"Mobil", "Fornavn"}, {41100001, "Åse"}, {nil, "Per"}, {41100003, "Kåre"}}, []string{"A2:A3"}, "Hei ((fornavn))",
			[]string{"2: 41100001 Hei Åse", "3: !Mobil problem.row.duplicate", "4: 41100003 Hei Kåre"}},
		"an hour over a block": {[][]any{{"Mobil", "Time", "Sted"}, {41100001, "kl. 10", "Egge"}, {41100002, nil, "Sørsia"}, {41100003, "kl. 11", "Egge"}}, []string{"B2:B3"}, "((time)), ((sted))",
			[]string{"2: 41100001 kl. 10, Egge", "3: 41100002 kl. 10, Sørsia", "4: 41100003 kl. 11, Egge"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := write(t, func(f *excelize.File) {
				sheetRows(t, f, "Sheet1", tt.rows...)
				for _, ref := range tt.merges {
					from, to, _ := strings.Cut(ref, ":")
					must(t, f.MergeCell("Sheet1", from, to))
				}
			})
			got, _, err := through(mustOpen(t, content), recipients.Pass{Template: recipients.ParseTemplate(tt.text)})
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Error(refusal(err), diff)
			}
		})
	}
}

// TestOtherWaysToWriteAPackage: prefixes, encodings and names that Open XML allows, and spreadsheets open.
func TestOtherWaysToWriteAPackage(t *testing.T) {
	t.Parallel()
	plain := workbook(t, four[:3]...)
	element := regexp.MustCompile(`<(/?)([a-zA-Z])`)
	each := func(do func(name string, part []byte) []byte) string {
		return change(t, plain, func(name string, part []byte) []byte {
			if !strings.HasPrefix(name, "xl/") || !strings.HasSuffix(name, ".xml") || strings.Contains(name, "theme") {
				return part
			}
			return do(name, part)
		})
	}
	header := regexp.MustCompile(`^<\?xml[^>]*\?>\s*`)
	declared := func(encoding string, as func(string) []byte) string {
		return each(func(_ string, part []byte) []byte {
			return as(`<?xml version="1.0" encoding="` + encoding + `"?>` + string(header.ReplaceAll(part, nil)))
		})
	}
	utf16le := func(s string) []byte {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return b
	}
	utf16be := func(s string) []byte {
		b := []byte{0xfe, 0xff}
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.BigEndian.AppendUint16(b, u)
		}
		return b
	}
	for name, content := range map[string]string{
		"a prefix of every element": each(func(_ string, part []byte) []byte {
			return bytes.ReplaceAll(element.ReplaceAll(part, []byte("<${1}x:${2}")), []byte(`xmlns="`), []byte(`xmlns:x="`))
		}),
		"a mark before the XML": each(func(_ string, part []byte) []byte { return append([]byte("\xef\xbb\xbf"), part...) }),
		"UTF-16":                declared("UTF-16", utf16le),
		"UTF-16, big end first": declared("utf-16", utf16be),
		"ASCII": declared("us-ascii", func(s string) []byte {
			var b bytes.Buffer
			for _, r := range s {
				if r < 0x80 {
					b.WriteRune(r)
				} else {
					fmt.Fprintf(&b, "&#%d;", r)
				}
			}
			return b.Bytes()
		}),
		"names that begin with a point": renamed(t, plain, func(name string) string { return "./" + name }, strings.NewReplacer()),
		"targets from the root":         renamed(t, plain, func(name string) string { return name }, strings.NewReplacer(`Target="worksheets/`, `Target="/XL/Worksheets/`)),
		"names with escapes":            renamed(t, plain, func(name string) string { return strings.ReplaceAll(name, "sheet1.xml", "ark 1.xml") }, strings.NewReplacer("worksheets/sheet1.xml", "worksheets/ark%201.xml")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := open(content)
			if err != nil {
				t.Fatal(refusal(err))
			}
			got, _, err := through(l, recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
			if diff := cmp.Diff([]string{"2: 41100001 Hei Åse", "3: 41100002 Hei Bjørn"}, got); diff != "" || err != nil {
				t.Error(refusal(err), diff)
			}
		})
	}
}

// TestMoreSheetsBeforeTheList: a cover with somebody's number to call, two windows on the book, and an open sheet that is none.
func TestMoreSheetsBeforeTheList(t *testing.T) {
	t.Parallel()
	second := func(fill func(*excelize.File), book ...string) string {
		content := write(t, func(f *excelize.File) {
			_, err := f.NewSheet("Liste")
			must(t, err)
			sheetRows(t, f, "Liste", four[:2]...)
			fill(f)
		})
		replace := strings.NewReplacer(book...)
		return change(t, content, func(name string, part []byte) []byte {
			if name == "xl/workbook.xml" {
				return []byte(replace.Replace(string(part)))
			}
			return part
		})
	}
	old := func(f *excelize.File) {
		sheetRows(t, f, "Sheet1", []any{"Fornavn", "Mobil"}, []any{"Gammel", 49900001})
		f.SetActiveSheet(1)
	}
	for name, content := range map[string]string{
		"a cover with a number to call": second(func(f *excelize.File) {
			sheetRows(t, f, "Sheet1", []any{"Utsending til foresatte"}, []any{"Spørsmål? Ring Kari på 900 00 199"}, []any{"Kun til internt bruk"})
		}),
		"two windows":              second(old, `</bookViews>`, `<workbookView activeTab="0"></workbookView></bookViews>`),
		"a sheet that is a script": second(old, `<sheet name="Sheet1"`, `<sheet name="Makro" state="veryHidden" sheetId="99" r:id="rId99"></sheet><sheet name="Sheet1"`, `activeTab="1"`, `activeTab="2"`),
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

// TestMoreThatACellShows: sections that show nothing, formats of text, and those that a workbook need not describe.
func TestMoreThatACellShows(t *testing.T) {
	t.Parallel()
	type shown struct {
		value  any
		format any
		want   string
	}
	cells := []shown{
		{0, "0;-0;;@", ""}, {5, "0;-0;;@", "5"}, {"fem", "0;-0;;@", "fem"}, {5, ";;;", ""}, {"skjult", ";;;", ""}, {-5, "0;;0", ""}, {-5, `0;"minus "0`, "minus 5"},
		{"123", `"Ref. "@`, "Ref. 123"}, {"123", `0;-0;0;"Ref. "@`, "Ref. 123"}, {123, `"Ref. "@`, "123"}, {"Åse", `_-@_-`, "Åse"}, {"Åse", "@", "Åse"}, {"Åse", "0.00", "Åse"}, {"Åse", "dd.mm.yyyy", "Åse"}, {"Åse", "General", "Åse"},
		{41100001, "[<=99999999]## ## ## ##;+## ## ## ## ##", "41 10 00 01"}, {4741100001, "[<=99999999]## ## ## ##;+## ## ## ## ##", "+47 41 10 00 01"}, {1450.5, `_-* #,##0.00\ "kr"_-;\-* #,##0.00\ "kr"_-;_-* "-"??\ "kr"_-;_-@_-`, "1 450,50 kr"},
		{-1450.5, `_-* #,##0.00\ "kr"_-;\-* #,##0.00\ "kr"_-;_-* "-"??\ "kr"_-;_-@_-`, "-1 450,50 kr"}, {"ingen", `_-* #,##0.00\ "kr"_-;\-* #,##0.00\ "kr"_-;_-* "-"??\ "kr"_-;_-@_-`, "ingen"}, {1450.5, `[$kr-414] #,##0.00`, "kr 1 450,50"}, {1450.5, `#\ ##0.00`, "1 450,50"},
		{46351, `[$-F800]dddd\,\ mmmm\ dd\,\ yyyy`, "onsdag 25. november 2026"}, {0.5625, `[$-F400]h:mm:ss\ AM/PM`, "13:30:00"}, {1.5, `[h]" t "mm" min"`, "36 t 00 min"}, {1, `[=1]"ja";[=0]"nei";General`, "ja"}, {0, `[=1]"ja";[=0]"nei";General`, "nei"}, {7, `[=1]"ja";[=0]"nei";General`, "7"},
		{1450.5, 4, "1 450,50"}, {1450.5, 43, "1 450,50"}, {-1450.5, 43, "-1 450,50"}, {1450.5, 44, "kr 1 450,50"}, {1450, 41, "1 450"}, {0.155, 10, "15,50 %"}, {150, "0000", "0150"}, {0.1, "0.0 %", "10,0 %"},
	}
	content := write(t, func(f *excelize.File) {
		must(t, f.SetSheetRow("Sheet1", "A1", &[]any{"Mobil", "Verdi"}))
		for i, c := range cells {
			at := fmt.Sprintf("B%d", i+2)
			s := &excelize.Style{}
			switch format := c.format.(type) {
			case string:
				s.CustomNumFmt = &format
			case int:
				s.NumFmt = format
			}
			style, err := f.NewStyle(s)
			must(t, err, f.SetCellValue("Sheet1", fmt.Sprintf("A%d", i+2), 41100001+i), f.SetCellValue("Sheet1", at, c.value), f.SetCellStyle("Sheet1", at, at, style))
		}
	})
	i := 0
	_, err := mustOpen(t, content).Each(recipients.Pass{}, func(r recipients.Row) error {
		got := ""
		if len(r.Cells) > 1 {
			got = r.Cells[1]
		}
		if got != cells[i].want {
			t.Errorf("%v as %v: got %q, want %q", cells[i].value, cells[i].format, got, cells[i].want)
		}
		i++
		return nil
	})
	if err != nil || i != len(cells) {
		t.Error(i, err)
	}
}

// TestMoreDaysWrittenOut: what ISO 8601 leaves open, in the format of the cell where it has one.
func TestMoreDaysWrittenOut(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"2026-12-01T10:30:00.000": "01.12.2026 10:30",
		"2026-12-01T10:30":        "01.12.2026 10:30",
		"2026-12-01 10:30:00":     "01.12.2026 10:30",
		"2026-12-01T00:00:00":     "01.12.2026",
		"10:30:00":                "10:30",
		"T10:30":                  "10:30",
		"i morgen":                "i morgen",
	} {
		content := inSheet(t, workbook(t, []any{"Mobil", "Time"}, []any{41100001, 4711}), `<c r="B2"><v>4711</v>`, `<c r="B2" t="d"><v>`+value+`</v>`)
		got, _, err := through(mustOpen(t, content), recipients.Pass{Template: recipients.ParseTemplate("((time))")})
		if diff := cmp.Diff([]string{"2: 41100001 " + want}, got); diff != "" || err != nil {
			t.Error(value, refusal(err), diff)
		}
	}
}

// TestMoreFaultsOfFormulas: what other spreadsheets, and other languages, write where there is no value.
func TestMoreFaultsOfFormulas(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"#N/A", "#I/T", " #VERDI! ", "#ERROR!", "#FEIL!", "Err:502", "Feil:504", "#NAVN?", "#TALL!", "#OVERFLYT!", "#SPILL!", "#########"} {
		got, _, err := through(mustOpen(t, "Mobil;Navn\n41100001;Åse\n41100002;"+value+"\n"), recipients.Pass{Template: recipients.ParseTemplate("Hei ((navn))")})
		if diff := cmp.Diff([]string{"2: 41100001 Hei Åse", "3: !Navn problem.row.error"}, got); diff != "" || err != nil {
			t.Error(value, refusal(err), diff)
		}
	}
	for _, value := range []string{"#1", "# 4", "Err", "#metoo", "Feil: 504 er borte"} {
		if got, _, err := through(mustOpen(t, "Mobil;Navn\n41100002;"+value+"\n"), recipients.Pass{Template: recipients.ParseTemplate("Hei ((navn))")}); err != nil || got[0] != "2: 41100002 Hei "+value {
			t.Error(value, refusal(err), got)
		}
	}
}

// TestComposedWhereverItComesFrom: a letter with its accents is one character, also over a mark that nobody sees, in headings and
// in text.
func TestComposedWhereverItComesFrom(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"Mobil;A\u030arsavgift\n41100001;bla\u030abær\n", "Mobil;\u212brsavgift\n41100001;bla\u200d\u030abær\n", "Mobil;A\u00ad\u030arsavgift\n41100001;blåbær\n"} {
		for _, text := range []string{"Hei ((årsavgift))", "Hei ((a\u030arsavgift))", "Hei ((\u212brsavgift))"} {
			got, sum, err := through(mustOpen(t, list), recipients.Pass{Template: recipients.ParseTemplate(text)})
			if diff := cmp.Diff([]string{"2: 41100001 Hei blåbær"}, got); diff != "" || err != nil || sum.Segments != 1 {
				t.Errorf("%q %q: %s %s", list, text, refusal(err), diff)
			}
		}
	}
}
