package recipients_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"utsending/internal/recipients"
)

// Synthetic people: month + 80.
const (
	kari = "12847901258"
	ola  = "01890107881"
)

func open(content string) (*recipients.List, error) {
	return recipients.Open(strings.NewReader(content), int64(len(content)))
}

func mustOpen(t testing.TB, content string) *recipients.List {
	t.Helper()
	l, err := open(content)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// through goes through a list and writes every row in one line: what it is sent to, or what is wrong.
func through(l *recipients.List, p recipients.Pass) (rows []string, sum recipients.Summary, err error) {
	sum, err = l.Each(p, func(r recipients.Row) error {
		rows = append(rows, say(r))
		return nil
	})
	return rows, sum, err
}

func say(r recipients.Row) string {
	s := fmt.Sprintf("%d: ", r.Line)
	if r.OK() {
		s += r.Recipient.NationalID.Reveal() + r.Recipient.Phone.Reveal()
	}
	for _, p := range r.Problems {
		s += "!" + p.Name + " " + p.Key
	}
	for _, p := range r.Warnings {
		s += " ?" + p.Key
	}
	if r.Text != "" && r.OK() {
		s += " " + r.Text
	}
	return s
}

// refusal returns the key of a refused list.
func refusal(err error) string {
	var refused *recipients.Refused
	if errors.As(err, &refused) {
		return refused.Problem.Key
	}
	return fmt.Sprint(err)
}

// both opens a list and goes through it, for lists that are refused at either.
func both(content string, p recipients.Pass) error {
	l, err := open(content)
	if err == nil {
		_, _, err = through(l, p)
	}
	return err
}

// workbook writes rows by an independent library.
func workbook(t testing.TB, rows ...[]any) string {
	t.Helper()
	return write(t, func(f *excelize.File) {
		for i, row := range rows {
			if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func write(t testing.TB, fill func(*excelize.File)) string {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// list is CSV of n rows with different phone numbers.
func list(n int) string {
	var b strings.Builder
	b.WriteString("Fornavn;Mobil;Merknad\r\n")
	for i := range n {
		fmt.Fprintf(&b, "Person %d;9%07d;noe som står her\r\n", i, i)
	}
	return b.String()
}
