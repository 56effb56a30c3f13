package recipients_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"utsending/internal/recipients"
)

// inUse is the largest heap that is really in use while a list is opened and gone through: it is looked at after a
// collection, every so many rows, so that neither garbage nor the machine's load counts.
func inUse(t *testing.T, content string) int {
	t.Helper()
	base, most, n := heap(), 0, 0
	l, err := recipients.Open(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := l.Each(recipients.Pass{Template: recipients.ParseTemplate("Hei ((fornavn))")}, func(recipients.Row) error {
		if n++; n%1000 == 0 {
			most = max(most, heap()-base)
		}
		return nil
	})
	if err != nil || sum.Good != n {
		t.Fatalf("got %+v, %v", sum, err)
	}
	runtime.KeepAlive(content)
	return most
}

func heap() int {
	runtime.GC()
	runtime.GC() // pools give back at the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestMemory is not parallel: others would count.
func TestMemory(t *testing.T) {
	const limit = 32 << 20
	for name, write := range map[string]func(testing.TB, int) string{
		"text":     func(_ testing.TB, n int) string { return list(n) },
		"workbook": bookOf,
	} {
		few, many := inUse(t, write(t, 1_000)), inUse(t, write(t, 50_000))
		t.Logf("%s: %d kB for 1 000 rows, %d kB for 50 000", name, few>>10, many>>10)
		if many-few > limit {
			t.Errorf("%s: 50 000 rows hold %d MiB more than 1 000", name, (many-few)>>20)
		}
	}
}

// bookOf is a workbook of n rows with texts of their own, written as a stream.
func bookOf(t testing.TB, n int) string {
	t.Helper()
	return write(t, func(f *excelize.File) {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			t.Fatal(err)
		}
		for i := range n + 1 {
			row := []any{"Person", 90000000 + i, "noe som står her"}
			if i == 0 {
				row = []any{"Fornavn", "Mobil", "Merknad"}
			}
			cell, err := excelize.CoordinatesToCellName(1, i+1)
			if err == nil {
				err = w.SetRow(cell, row)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkText(b *testing.B)     { benchmark(b, list(recipients.MaxRows)) }
func BenchmarkWorkbook(b *testing.B) { benchmark(b, bookOf(b, recipients.MaxRows)) }

func benchmark(b *testing.B, content string) {
	b.Helper()
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	template := recipients.ParseTemplate("Hei ((fornavn))")
	for b.Loop() {
		sum, err := mustOpen(b, content).Each(recipients.Pass{Template: template}, func(recipients.Row) error { return nil })
		if err != nil || sum.Good != recipients.MaxRows {
			b.Fatalf("got %+v, %v", sum, err)
		}
	}
	b.ReportMetric(float64(recipients.MaxRows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
