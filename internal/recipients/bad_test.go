package recipients_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utsending/internal/recipients"
	"utsending/internal/table"
)

func bad(t interface{ Fatal(...any) }, content string) string {
	l, err := open(content)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := recipients.NewBadRows(&b, l, "Feil")
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Each(recipients.Pass{}, func(r recipients.Row) error {
		if r.OK() {
			return nil
		}
		return w.Add(r.Cells, r.Problems[0].Key)
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBadRows(t *testing.T) {
	t.Parallel()
	got := bad(t, "Navn,Mobil,Merknad\nKari,91234567,\nOla,22345678,=1+1\n\"Per; Ås\",+0123456789,\"@x\ny\"\nÅse,004712\n")
	want := "\ufeffNavn;Mobil;Merknad;Feil\r\n" +
		"Ola;22345678;'=1+1;problem.phone.start\r\n" +
		"\"Per; Ås\";'+0123456789;\"'@x\r\ny\";problem.phone.country\r\n" +
		"Åse;'004712;;problem.phone.short\r\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBadRowsWithoutHeadings(t *testing.T) {
	t.Parallel()
	if got, want := bad(t, "Kari;91234567\nOla;22345678"), "\ufeff;;Feil\r\nOla;22345678;problem.phone.start\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBadRowsCanBeCorrected: downloaded and corrected rows are read as intended.
func TestBadRowsCanBeCorrected(t *testing.T) {
	t.Parallel()
	written := bad(t, "Mobil;Navn\n+4622\n91234567;Ola\n22345678;Kari")
	rows, _, err := through(mustOpen(t, strings.ReplaceAll(written, "+4622", "+46701234567")), recipients.Pass{})
	if err != nil || len(rows) != 2 || rows[0] != "2: +46701234567 ?hint.phone.foreign" {
		t.Errorf("got %q, %v", rows, err)
	}
}

// TestSafe: no cell begins as a formula does, and removing the apostrophe restores the original.
func TestSafe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.StringMatching(`[=+\-@\t\r\n'0-9]{0,3}.*`), rapid.String()).Draw(t, "cell")
		safe := recipients.Safe(cell)
		if guarded := table.GuardWithin(cell); safe != guarded && safe != "'"+guarded {
			t.Fatalf("%q became %q", cell, safe)
		}
		if safe != "" && strings.ContainsAny(safe[:1], "=+-@\t\r\n") {
			t.Fatalf("%q stayed", cell)
		}
	})
}

// TestWhatIsWrittenIsRead (round trip): with any cells and any separator, rows are read as they were written.
func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = rapid.SampledFrom([]rune{';', ',', '\t'}).Draw(t, "separator")
		w.UseCRLF = rapid.Bool().Draw(t, "CRLF")
		values := rapid.SliceOfN(rapid.StringMatching(`[a-zæøå]([a-zæøå;,"'\n\t ]{0,12}[a-zæøå])?`), 1, 20).Draw(t, "values")
		if err := w.Write([]string{"Verdi", "Mobil", "Merknad"}); err != nil {
			t.Fatal(err)
		}
		for i, value := range values {
			if err := w.Write([]string{value, "9" + strings.Repeat("0", 6) + string(rune('0'+i%10)), "x"}); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		l, err := open(b.String())
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		_, err = l.Each(recipients.Pass{}, func(r recipients.Row) error {
			if l.Separator != w.Comma || r.Cells[0] != values[i] {
				t.Fatalf("got %q with %q, want %q with %q", r.Cells, l.Separator, values[i], w.Comma)
			}
			i++
			return nil
		})
		if err != nil || i != len(values) {
			t.Fatalf("got %d of %d rows, %v", i, len(values), err)
		}
	})
}

// FuzzOpen: any bytes give rows that add up, or a refusal, and the same result twice.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		"Navn;Mobil\nKari;91234567", "\ufeff\"a\nb\",+4791234567\r\r\n", "\xff\xfe9\x001\x00", "sep=,\n91234567", "\"", "\r\n", "\xe6;91234567",
		workbook(f, []any{"Mobil"}, []any{91234567}),
	} {
		f.Add([]byte(seed), "Hei ((navn))")
	}
	f.Fuzz(func(t *testing.T, content []byte, text string) {
		l, err := open(string(content))
		if err != nil {
			if !strings.HasPrefix(refusal(err), "problem.list.") {
				t.Fatal(err)
			}
			return
		}
		first, sum, err := through(l, recipients.Pass{Template: recipients.ParseTemplate(text)})
		again, sumAgain, errAgain := through(l, recipients.Pass{Template: recipients.ParseTemplate(text)})
		if refusal(err) != refusal(errAgain) || sum != sumAgain || strings.Join(first, "\n") != strings.Join(again, "\n") {
			t.Fatalf("first %q %v, then %q %v", first, err, again, errAgain)
		}
		if err == nil && (sum.Rows != sum.Good+sum.Bad+sum.Duplicates || len(first) != sum.Rows) {
			t.Fatalf("%d rows: %+v", len(first), sum)
		}
	})
}
