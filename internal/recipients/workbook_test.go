package recipients_test

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"utsending/internal/recipients"
)

func TestWorkbook(t *testing.T) {
	t.Parallel()
	padded := func(f *excelize.File, cell, format string) {
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		if err == nil {
			err = f.SetCellStyle("Sheet1", cell, cell, style)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	set := func(f *excelize.File, cells ...any) {
		for i := 0; i < len(cells); i += 2 {
			if err := f.SetCellValue("Sheet1", cells[i].(string), cells[i+1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name, text string
		fill       func(*excelize.File)
		want       []string
	}{
		{"national ids stored as numbers", "", func(f *excelize.File) { set(f, "A1", "Fnr", "A2", 12847901258, "A3", 1890107881, "A4", 48912068.0) },
			[]string{"2: 12847901258", "3: !Fnr problem.row.leading_zero", "4: 48912068"}},
		{"a format that shows the zero", "", func(f *excelize.File) { set(f, "A1", "Fnr", "A2", 1890107881); padded(f, "A2", "00000000000") },
			[]string{"2: 01890107881"}},
		{"days, times, decimals and postal codes", "((dato)) ((kl)) ((sum)) ((postnr))", func(f *excelize.File) {
			set(f, "A1", "Mobil", "B1", "Dato", "C1", "Kl", "D1", "Sum", "E1", "Postnr")
			set(f, "A2", 91234567, "B2", time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), "C2", 0.5625, "D2", 1234.5, "E2", 150)
			padded(f, "B2", "dd/mm/yyyy;@")
			padded(f, "C2", "hh:mm")
			padded(f, "E2", "0000")
		}, []string{"2: 91234567 24.11.2026 13:30 1234,5 0150"}},
		{"empty rows and columns", "", func(f *excelize.File) { set(f, "C3", "Mobil", "C5", "91234567", "C9", "+4791234568") },
			[]string{"5: 91234567", "9: +4791234568"}},
		{"runs of one text", "Hei ((navn))", func(f *excelize.File) {
			set(f, "A1", "Mobil", "B1", "Navn", "A2", 91234567)
			if err := f.SetCellRichText("Sheet1", "B2", []excelize.RichTextRun{{Text: "Ka"}, {Text: "ri", Font: &excelize.Font{Bold: true}}}); err != nil {
				t.Fatal(err)
			}
		}, []string{"2: 91234567 Hei Kari"}},
		{"what XML cannot hold, and what looks like it", "((navn)) ((kode))", func(f *excelize.File) {
			set(f, "A1", "Mobil", "B1", "Navn", "C1", "Kode", "A2", 91234567, "B2", "Kari_x000C_", "C2", "_x005F_x0041_", "A3", "9765\r\n4321", "B3", "Per\r\nÅse", "C3", "_x")
		}, []string{"2: 91234567 Kari _x0041_", "3: 97654321 Per\nÅse _x"}},
		{"a hidden sheet before the shown one", "", func(f *excelize.File) {
			set(f, "A1", 99999999)
			if _, err := f.NewSheet("Liste"); err != nil {
				t.Fatal(err)
			}
			f.SetActiveSheet(1)
			if err := f.SetSheetVisible("Sheet1", false); err != nil {
				t.Fatal(err)
			}
			if err := f.SetCellValue("Liste", "A1", 91234567); err != nil {
				t.Fatal(err)
			}
		}, []string{"1: 91234567"}},
	}
	for _, test := range tests {
		t.Run("reads "+test.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := through(mustOpen(t, write(t, test.fill)), recipients.Pass{Template: recipients.ParseTemplate(test.text)})
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}

// change rewrites parts of a workbook.
func change(t testing.TB, content string, change func(name string, part []byte) []byte) string {
	t.Helper()
	in, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := out.Create(f.Name)
		if err == nil {
			_, err = w.Write(change(f.Name, part))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSpokenForm: how a name is pronounced stands beside it in some workbooks, and is no part of it.
func TestSpokenForm(t *testing.T) {
	t.Parallel()
	content := change(t, workbook(t, []any{"Navn", "Mobil", "Sted"}, []any{"Kari", 91234567, "x"}), func(name string, part []byte) []byte {
		part = bytes.Replace(part, []byte("Kari</t>"), []byte(`Kari</t><rPh sb="0" eb="1"><t>ka-ri</t></rPh>`), 1)
		return regexp.MustCompile(`(<c r="C2")[^>]*>.*?</c>`).ReplaceAll(part, []byte(`$1 t="inlineStr"><is><t>Bø</t><rPh sb="0" eb="1"><t>bø-ø</t></rPh></is></c>`))
	})
	rows, _, err := through(mustOpen(t, content), recipients.Pass{Template: recipients.ParseTemplate("((navn)) ((sted))")})
	if diff := cmp.Diff([]string{"2: 91234567 Kari Bø"}, rows); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

const sheetPart, textsPart = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"

func TestRefusedWorkbooks(t *testing.T) {
	t.Parallel()
	good := workbook(t, []any{"Navn", "Mobil"}, []any{"Kari", 91234567})
	in := func(name, old, new string) string {
		return change(t, good, func(n string, part []byte) []byte {
			if n == name {
				return bytes.Replace(part, []byte(old), []byte(new), 1)
			}
			return part
		})
	}
	var other bytes.Buffer
	z := zip.NewWriter(&other)
	if _, err := z.Create("mimetype"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	rows := make([][]any, recipients.MaxRows+2)
	for i := range rows {
		rows[i] = []any{90000000 + i}
	}
	rows[0] = []any{"Mobil"}
	tests := []struct{ name, content, want string }{
		{"another archive", other.String(), "problem.list.kind"},
		{"one that breaks off", good[:len(good)/2], "problem.list.broken"},
		{"a byte that changed", strings.Replace(good, sheetPart, "xl/worksheets/sheet9.xml", 2), "problem.list.empty"},
		{"rows without end", in(sheetPart, "<sheetData>", "<sheetData>"+strings.Repeat("<row></row>", 1<<20)), "problem.list.unpacked"},
		{"a text without end", in(textsPart, "Kari", strings.Repeat("Kari", 1<<20)), "problem.list.unpacked"},
		{"texts without end", in(textsPart, "<si>", strings.Repeat("<si></si>", 1<<20+1)+"<si>"), "problem.list.unpacked"},
		{"tags within tags", in(sheetPart, "<sheetData>", "<sheetData>"+strings.Repeat("<a>", 1<<20)), "problem.list.unpacked"},
		{"an attribute without end", in(sheetPart, "<sheetData>", "<sheetData a=\""+strings.Repeat("x", 3<<20)+"\">"), "problem.list.unpacked"},
		{"a text that is not there", in(sheetPart, `t="s"><v>1<`, `t="s"><v>99<`), "problem.list.broken"},
		{"XML that breaks off", in(sheetPart, "</sheetData>", "<"), "problem.list.broken"},
		{"rows that are not closed", in(sheetPart, "</worksheet>", ""), "problem.list.broken"},
		{"a column too many", workbook(t, append(make([]any, recipients.MaxColumns), 91234567)), "problem.list.columns"},
		{"a row too many", workbook(t, rows...), "problem.list.rows"},
		{"nothing", workbook(t), "problem.list.empty"},
	}
	for _, test := range tests {
		t.Run("refuses "+test.name, func(t *testing.T) {
			t.Parallel()
			if got := refusal(both(test.content, recipients.Pass{})); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	t.Run("never breaks over a byte that changed", func(t *testing.T) {
		t.Parallel()
		for i := 0; i < len(good); i += 13 {
			bent := good[:i] + string(good[i]^0x5a) + good[i+1:]
			if err := both(bent, recipients.Pass{}); err != nil && !strings.HasPrefix(refusal(err), "problem.") {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
	})
}

// renamed gives the parts of a workbook other names, and replaces what the parts that tell of others say.
func renamed(t testing.TB, content string, name func(string) string, in *strings.Replacer) string {
	t.Helper()
	old, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	must(t, err)
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range old.File {
		r, err := f.Open()
		must(t, err)
		part, err := io.ReadAll(r)
		must(t, err)
		if strings.HasSuffix(f.Name, ".rels") || strings.Contains(f.Name, "Content_Types") {
			part = []byte(in.Replace(string(part)))
		}
		to := name(f.Name)
		if strings.Contains(to, "xl/bok.xml.rels") || f.Name == "xl/_rels/workbook.xml.rels" && name("xl/workbook.xml") == "xl/bok.xml" {
			to = "xl/_rels/bok.xml.rels"
		}
		w, err := out.Create(to)
		must(t, err)
		_, err = w.Write(part)
		must(t, err)
	}
	must(t, out.Close())
	return b.String()
}
