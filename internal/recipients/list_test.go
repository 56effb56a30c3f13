package recipients_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
)

// TestShapes reads the same two people out of all the shapes that lists come in.
func TestShapes(t *testing.T) {
	t.Parallel()
	const rows = "Fornavn;Mobil\nKåre;91234567\n\"Åse; \"\"Bé\"\"\";41234567\n"
	latin, err := charmap.Windows1252.NewEncoder().String(rows)
	if err != nil {
		t.Fatal(err)
	}
	wide := func(e unicode.Endianness) string {
		s, err := unicode.UTF16(e, unicode.UseBOM).NewEncoder().String(rows)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := []struct{ name, content string }{
		{"semicolons", rows},
		{"commas", "Fornavn,Mobil\nKåre,91234567\n\"Åse; \"\"Bé\"\"\",41234567\n"},
		{"tabs", "Fornavn\tMobil\nKåre\t91234567\n\"Åse; \"\"Bé\"\"\"\t41234567\n"},
		{"a line that names the separator", "sep=,\nFornavn,Mobil\nKåre,91234567\n\"Åse; \"\"Bé\"\"\",41234567\n"},
		{"CRLF", strings.ReplaceAll(rows, "\n", "\r\n")},
		{"CR", strings.ReplaceAll(rows, "\n", "\r")},
		{"no line break at the end", strings.TrimSuffix(rows, "\n")},
		{"a byte order mark", "\ufeff" + rows},
		{"Windows-1252", latin},
		{"UTF-16, little end first", wide(unicode.LittleEndian)},
		{"UTF-16, big end first", wide(unicode.BigEndian)},
		{"a workbook", workbook(t, []any{"Fornavn", "Mobil"}, []any{"Kåre", 91234567}, []any{`Åse; "Bé"`, "41234567"})},
	}
	want := []string{"91234567 Hei Kåre", `41234567 Hei Åse; "Bé"`}
	for _, test := range tests {
		t.Run("reads "+test.name, func(t *testing.T) {
			t.Parallel()
			l := mustOpen(t, test.content)
			rows, _, err := through(l, recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")})
			for i, row := range rows {
				_, rows[i], _ = strings.Cut(row, ": ")
			}
			if diff := cmp.Diff(want, rows); diff != "" || err != nil {
				t.Error(err, diff)
			}
			if !l.Header || !slices.Equal(l.Headings, []string{"Fornavn", "Mobil"}) {
				t.Errorf("got headings %t %q", l.Header, l.Headings)
			}
			again, _, err := through(l, recipients.Pass{})
			if len(again) != 2 || err != nil {
				t.Errorf("the second time: got %q, %v", again, err)
			}
		})
	}
}

// TestRows: each line of a list is a recipient, or a problem with its row and column.
func TestRows(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, content, text string
		byPhone             bool
		want                []string
	}{
		{name: "pasted numbers of both kinds", content: "91234567\n" + kari + "\n+47 41 23 45 68", want: []string{"1: 91234567", "2: " + kari, "3: +4741234568"}},
		{name: "pasted numbers beside one another", content: "91234567, 91234568, 91234569,\n91234570", want: []string{"1: 91234567", "1: 91234568", "1: 91234569", "2: 91234570"}},
		{name: "both kinds beside one another", content: kari + ";" + ola + ";91234567", want: []string{"1: " + kari, "1: " + ola, "1: 91234567"}},
		{name: "both kinds in two columns", content: "Fnr;Navn;Tlf\n" + kari + ";Kari;91234567\n;Ola;91234568\n" + ola + ";Per;",
			want: []string{"2: " + kari, "3: 91234568", "4: " + ola}},
		{name: "both kinds in two columns without headings", content: "Kari;" + kari + ";91234567\nOla;" + ola + ";91234568", want: []string{"1: " + kari, "2: " + ola}},
		{name: "by phone only", byPhone: true, content: "Fnr;Tlf\n" + kari + ";91234567\n" + ola + ";\n", want: []string{"2: 91234567", "3: !Tlf problem.row.no_phone"}},
		{name: "a phone number in the column of national ids", content: "Fødselsnummer\n91234567\n" + kari, want: []string{"2: 91234567", "3: " + kari}},
		{name: "a national id beside a number that cannot be used", content: "fnr;mobil\n" + kari + ";22345678", want: []string{"2: " + kari + " ?hint.row.phone_unusable"}},
		{name: "a number beside a national id that is wrong", content: "fnr;mobil\n123;91234567", want: []string{"2: !fnr problem.phone.short"}},
		{name: "neither", content: "fnr;mobil;navn\n;;Kari\n;91234567;Ola", want: []string{"2: !mobil problem.recipient.empty", "3: 91234567"}},
		{name: "words instead of a number", content: "mobil\n91234567\nhar ikke", want: []string{"2: 91234567", "3: !mobil problem.row.number"}},
		{name: "words instead of a number, no headings", content: "91234567;a\nhar ikke;b", want: []string{"1: 91234567", "2: !A problem.row.number"}},
		{name: "numbers that are wrong", content: "Mobil\n22345678\n9123456\n+0123456789\n9123456789012345\n91a34567",
			want: []string{"2: !Mobil problem.phone.start", "3: !Mobil problem.phone.short", "4: !Mobil problem.phone.country", "5: !Mobil problem.phone.long", "6: !Mobil problem.row.number"}},
		{name: "foreign numbers and other lengths", content: "Mobil\n+46701234567\n0046701234568\n912345678", want: []string{"2: +46701234567 ?hint.phone.foreign", "3: 0046701234568 ?hint.phone.foreign", "4: 912345678 ?hint.phone.length"}},
		{name: "check digits that do not fit", content: "fnr\n12345678901", want: []string{"2: 12345678901 ?hint.national_id.check"}},
		{name: "a national id without its zero", content: "fnr\n" + ola[1:] + "\n" + kari, want: []string{"2: !fnr problem.row.leading_zero", "3: " + kari}},
		{name: "a national id without its zero that could be a phone number", content: "mottaker\n4891206882\n91234567", want: []string{"2: !mottaker problem.row.leading_zero", "3: 91234567"}},
		{name: "a country code without its plus", content: "Mobil\n4791234567", want: []string{"2: +4791234567 ?hint.row.plus"}},
		{name: "duplicates in other spellings", content: "Mobil\n91234567\n+47 91 23 45 67\n004791234567\n91-23-45-67",
			want: []string{"2: 91234567", "3: !Mobil problem.row.duplicate", "4: !Mobil problem.row.duplicate", "5: !Mobil problem.row.duplicate"}},
		{name: "duplicates of rows that cannot be sent", content: "Navn;Mobil\n;91234567\nKari;91234567", text: "Hei ((navn))", want: []string{"2: !Navn problem.row.field", "3: 91234567 Hei Kari"}},
		{name: "an empty row in the middle", content: "Mobil\n91234567\n\n;;\n91234568\n\n", want: []string{"2: 91234567", "5: 91234568"}},
		{name: "quoted line breaks", content: "Navn;Mobil\n\"Kari\r\nNordmann\";91234567\nOla;91234568", text: "Til ((navn))", want: []string{"2: 91234567 Til Kari\nNordmann", "4: 91234568 Til Ola"}},
		{name: "quotes in the wrong place", content: "Navn;Mobil\nOla \"Olli\" N;91234567\n\"Kari\" N;91234568\nPer;91234569", want: []string{"2: ! problem.row.quote", "3: ! problem.row.quote", "4: 91234569"}},
		{name: "more cells than headings", content: "Mobil;Navn\n91234567;Nordmann;Kari\n91234568;Ola;", want: []string{"2: !C problem.row.cells", "3: 91234568"}},
		{name: "fewer cells than headings", content: "Mobil;Navn\n91234567\n91234568;Ola", text: "Hei ((navn))", want: []string{"2: !Navn problem.row.field", "3: 91234568 Hei Ola"}},
		{name: "a text that gets too long", content: "Mobil;Navn\n91234567;" + strings.Repeat("x", 1601) + "\n91234568;Ola", text: "((navn))", want: []string{"2: ! problem.text.length", "3: 91234568 Ola"}},
		{name: "a text that gets too short", content: "Mobil;Navn\n91234567;x", text: "((navn))", want: []string{"2: ! problem.text.length"}},
		{name: "placeholders in values", content: "Mobil;A;B\n91234567;((b));x", text: "((a))((b))", want: []string{"2: 91234567 ((b))x"}},
		{name: "apostrophes of spreadsheets", content: "Mobil\n'+4791234567\n'004791234568", want: []string{"2: +4791234567", "3: 004791234568"}},
		{name: "the surest heading of several", content: "Telefon jobb;Mobil\n22345678;91234567", want: []string{"2: 91234567"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := through(mustOpen(t, test.content), recipients.Pass{Template: recipients.ParseTemplate(test.text), ByPhone: test.byPhone})
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	_, got, err := through(mustOpen(t, "Mobil;Navn\n91234567;Kari\n\n+46701234567;Ola\n4712;x\n91234567;igjen\n"+kari+";\n\n\n"), recipients.Pass{Template: recipients.ParseTemplate("Hei")})
	want := recipients.Summary{Rows: 5, Good: 3, Bad: 1, Duplicates: 1, Warned: 1, Foreign: 1, ByPhone: 2, WithPhone: 2, Empty: 1, Segments: 3}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// TestRefusedLists: what is wrong with a list as a whole.
func TestRefusedLists(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, content, text, want string
		byPhone                   bool
	}{
		{name: "nothing", content: "", want: "problem.list.empty"},
		{name: "blanks", content: " \n;;\n", want: "problem.list.empty"},
		{name: "headings only", content: "Navn;Mobil\n", want: "problem.list.empty"},
		{name: "no recipients", content: "Navn;Alder\nKari;12\n", want: "problem.list.no_column"},
		{name: "a row too many", content: list(recipients.MaxRows + 1), want: "problem.list.rows"},
		{name: "a column too many", content: "91234567" + strings.Repeat(";x", recipients.MaxColumns), want: "problem.list.columns"},
		{name: "a column too many in a later row", content: strings.Repeat("91234567;x\n", 200) + "91234567" + strings.Repeat(";x", recipients.MaxColumns), want: "problem.list.columns"},
		{name: "a quote that is never closed", content: "Navn;Mobil\n\"Kari;91234567\nOla;91234568\n", want: "problem.list.quote"},
		{name: "a row without end", content: "Navn;Mobil\nOla;91234568\n\"" + strings.Repeat("Kari;91234567\n", 200_000), want: "problem.list.long_row"},
		{name: "a placeholder without a column", content: "Navn;Mobil\nKari;91234567", text: "Hei ((fornavn))", want: "problem.list.placeholder"},
		{name: "a placeholder without headings", content: "Kari;91234567", text: "Hei ((navn))", want: "problem.list.placeholder"},
		{name: "a placeholder with two columns", content: "Navn;navn ;Mobil\nKari;Kari;91234567", text: "Hei ((navn))", want: "problem.list.placeholder_twice"},
		{name: "a placeholder that would show a national id", content: "Fnr\n" + kari, text: "Hei ((fnr))", want: "problem.list.placeholder"},
		{name: "a placeholder in fast sending", content: "Navn;Mobil\nKari;91234567", text: "Hei ((navn))", byPhone: true, want: "problem.list.placeholder_fast"},
		{name: "a PDF", content: "%PDF-1.7\n91234567", want: "problem.list.kind"},
		{name: "a web page that calls itself a workbook", content: "<html><table><td>91234567</table>", want: "problem.list.kind"},
		{name: "bytes that no text has", content: "91234567\n\x00\x01\x02", want: "problem.list.kind"},
		{name: "an old workbook", content: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more", want: "problem.list.xls"},
		{name: "UTF-16 without a mark", content: "9\x001\x002\x003\x00", want: "problem.list.kind"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := both(test.content, recipients.Pass{Template: recipients.ParseTemplate(test.text), ByPhone: test.byPhone})
			if got := refusal(err); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestLongestListAndWidest(t *testing.T) {
	t.Parallel()
	var beside strings.Builder
	for i := range 500 {
		fmt.Fprintf(&beside, "%d, ", 90000000+i)
	}
	if rows, _, err := through(mustOpen(t, beside.String()), recipients.Pass{}); err != nil || len(rows) != 500 {
		t.Errorf("beside one another: got %d, %v", len(rows), err)
	}
	if _, sum, err := through(mustOpen(t, list(recipients.MaxRows)), recipients.Pass{}); err != nil || sum.Good != recipients.MaxRows {
		t.Errorf("got %+v, %v", sum, err)
	}
	wide := "x" + strings.Repeat(";x", recipients.MaxColumns-2)
	if rows, _, err := through(mustOpen(t, wide+";91234567\n"+wide+";91234568"), recipients.Pass{}); err != nil || len(rows) != 2 {
		t.Errorf("got %q, %v", rows, err)
	}
}

// TestLateLatin: one letter at the end of a long list decides its encoding, wherever chunks end.
func TestLateLatin(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{"K\xe5re", "Kåre"} {
		for pad := range 6 {
			content := "Navn;Mobil\n" + strings.Repeat("x", pad) + ";91234567\n" + list(5_000)[len("Fornavn;Mobil;Merknad\r\n"):] + tail + ";91234568\n"
			content = strings.ReplaceAll(content, ";noe som står her", ";")
			rows, _, err := through(mustOpen(t, content), recipients.Pass{})
			if err != nil || len(rows) != 5_002 {
				t.Fatal(err, len(rows))
			}
		}
	}
}

// TestReadersFault: an error of the store is not the list's fault, and no list is read partially without an error.
func TestReadersFault(t *testing.T) {
	t.Parallel()
	broken := errors.New("the store is away")
	for name, content := range map[string]string{"text": list(10_000), "workbook": bookOf(t, 2_000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &stored{Reader: strings.NewReader(content), limit: 1 << 30, err: broken}
			l, err := recipients.Open(r, int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := through(l, recipients.Pass{}); err != nil {
				t.Fatal(err)
			}
			r.limit = r.reads
			if _, _, err := through(l, recipients.Pass{}); !errors.Is(err, broken) {
				t.Errorf("got %v", err)
			}
			r.limit = 0
			if _, err := recipients.Open(r, int64(len(content))); !errors.Is(err, broken) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// stored is a list behind a store that may go away: what is asked for is counted.
type stored struct {
	*strings.Reader
	reads, limit int
	err          error
}

func (r *stored) ReadAt(b []byte, off int64) (int, error) {
	if r.reads++; r.reads > r.limit {
		return 0, r.err
	}
	return r.Reader.ReadAt(b, off)
}

func TestFields(t *testing.T) {
	t.Parallel()
	l := mustOpen(t, "Fornavn ; Dato for møte;Fnr;Sted;sted\nKari;1. mai;"+kari+";a;b")
	if got, want := l.Fields(), []string{"fornavn", "dato for møte"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	text := recipients.ParseTemplate("((FORNAVN)) ((sted)) (( dato for møte )) ((by)) ((by)) ((")
	if got, want := text.Names(), []string{"fornavn", "sted", "dato for møte", "by"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	enough, n := errors.New("enough"), 0
	_, err := mustOpen(t, list(10)).Each(recipients.Pass{}, func(recipients.Row) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("got %v after %d rows", err, n)
	}
}

// TestStrayWithoutColumns: a list without columns cannot fill in anything, and the problem does not ask to write fields in another way.
func TestStrayWithoutColumns(t *testing.T) {
	t.Parallel()
	text := recipients.ParseTemplate("Hei {{navn}}")
	for want, columns := range map[string][]string{"problem.list.written": {"navn"}, "problem.list.bare": nil} {
		if p := text.Stray(dispatch.FieldText, columns); p == nil || p.Key != want {
			t.Errorf("%q: got %v, want %s", columns, p, want)
		}
	}
}
