package table_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"utsending/internal/table"
)

// seedCells are cells that spreadsheets take for something else.
func seedCells(f *testing.F) {
	for _, seed := range []string{"", "a", "=1+1", " =1+1", "\ufeff=1", "\u200b@x", "+4791234567", "01234567", "-1", "\t=1", "a;b,\"c\"\r\nd", "_x0041_", "_x005F_", "\x00\x01", "\ufffe", "\xff", "＝1+1", "'", "_x_x0041__", "a, =cmd|' /C calc'!A0,", "500,- (a)", "a,'=x(", "a\n- b (c)", "a,\"=x("} {
		f.Add(seed, "b")
		f.Add("a", seed)
	}
}

// begins is the first character of a cell that a spreadsheet looks at: it passes over blanks and what has no width.
func begins(cell string) string {
	return strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) })
}

// FuzzCSV: any cells are read as they were written, but for an apostrophe before what would be a formula, and none is one.
func FuzzCSV(f *testing.F) {
	seedCells(f)
	f.Fuzz(func(t *testing.T, first, second string) {
		var file bytes.Buffer
		fill(t, &file, table.NewCSV, first, second)
		if !utf8.Valid(file.Bytes()) {
			t.Fatalf("%q is written", file.String())
		}
		in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file.Bytes(), []byte("\ufeff"))))
		in.Comma = ';'
		row, err := in.Read()
		if err != nil || len(row) != 2 {
			t.Fatalf("%q is read as %q, %v", file.String(), row, err)
		}
		for i, cell := range []string{first, second} {
			cell = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(cell, "\ufffd"))
			if guarded := table.GuardWithin(cell); row[i] != guarded && row[i] != "'"+guarded || table.UnguardWithin(guarded) != cell {
				t.Fatalf("%q is read as %q", cell, row[i])
			}
			if sign, _ := utf8.DecodeRuneInString(begins(row[i])); strings.ContainsRune("=+-@＝＋－＠", sign) {
				t.Fatalf("%q is a formula", row[i])
			}
		}
		for piece := range strings.FieldsFuncSeq(strings.TrimPrefix(file.String(), "\ufeff"), func(r rune) bool { return strings.ContainsRune(",\t\r\n", r) }) {
			piece, _, _ = strings.Cut(piece, ";") // no formula goes on after one
			piece = strings.TrimLeftFunc(piece, func(r rune) bool { return r == '"' || begins(string(r)) == "" })
			if sign, _ := utf8.DecodeRuneInString(piece); strings.ContainsRune("=+-@＝＋－＠", sign) && strings.ContainsAny(piece, "(|!#[{\\（｜！＃［｛＼") {
				t.Fatalf("%q is a formula where a spreadsheet divides at commas: %q", piece, file.String())
			}
		}
	})
}

// FuzzXLSX: any cells are texts of a workbook that others read, as they were, but for what no text can hold.
func FuzzXLSX(f *testing.F) {
	seedCells(f)
	f.Fuzz(func(t *testing.T, first, second string) {
		if len(first)+len(second) > 30_000 { // the longest cell of a spreadsheet
			return
		}
		var file bytes.Buffer
		fill(t, &file, table.NewXLSX, first, second)
		book, err := excelize.OpenReader(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := book.GetRows("Resultat", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, cell := range []string{first, second} {
			got := ""
			if len(rows) > 0 && len(rows[0]) > i {
				got = rows[0][i]
			}
			cell = strings.Map(func(r rune) rune {
				if r == '\ufffe' || r == '\uffff' {
					return '\ufffd'
				}
				return r
			}, strings.ToValidUTF8(cell, "\ufffd"))
			if got != cell {
				t.Fatalf("%q is read as %q", cell, got)
			}
			if formula, err := book.GetCellFormula("Resultat", string(rune('A'+i))+"1"); err != nil || formula != "" {
				t.Fatalf("%q is the formula %q, %v", cell, formula, err)
			}
		}
	})
}

func fill(t *testing.T, file io.Writer, begin func(io.Writer) (table.Writer, error), cells ...string) {
	t.Helper()
	out, err := begin(file)
	if err == nil {
		err = out.Row(cells...)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
