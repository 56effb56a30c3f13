package pdf

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"utsending/internal/pdf/pdftest"
	"utsending/internal/tier"
)

// soon is far longer than any answer on a busy machine, and far shorter than a hang.
const soon = time.Minute

// patient is the timeout for files that exhaust processor time or memory.
const patient = time.Hour

// usable checks that an inspection after a hostile file is as good as any.
func usable(t *testing.T, i *Inspector) {
	t.Helper()
	i.o.Command[1], i.o.Timeout = partReal, patient
	if got := inspect(t, i, pdftest.Make(3)); got.Pages != 3 {
		t.Errorf("afterwards: got %+v, want three pages", got)
	}
}

func TestLimitsWhatAFileCosts(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	for _, c := range []struct {
		name string
		part string
		file []byte
		o    Options
		want Problem
	}{
		{"time", partReal, pdftest.Looping(), Options{Timeout: 300 * time.Millisecond}, ProblemTooSlow},
		{"processor time", partReal, pdftest.Looping(), Options{Timeout: patient, CPU: time.Second}, ProblemTooSlow},
		{"processor time of the engine", partReal, pdftest.Tedious(), Options{Timeout: patient, CPU: time.Second}, ProblemTooSlow},
		{"memory", partReal, pdftest.Bomb(), Options{Timeout: patient, MaxFile: 1 << 20}, ProblemBroken},
		{"a crash", partCrash, pdftest.Make(1), Options{}, ProblemBroken},
		{"an impossible answer", partLiar, pdftest.Make(1), Options{}, ProblemBroken},
		{"an answer without end", partEndless, pdftest.Make(1), Options{Timeout: 300 * time.Millisecond}, ProblemTooSlow},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			i := New(child(t, c.part, c.o))
			if got := inspect(t, i, c.file); got.Problem != c.want {
				t.Errorf("got %+v, want %s", got, c.want)
			}
			usable(t, i)
		})
	}
}

// A file that exhausts the engine ends within the limits, never counts as read, and does not affect the next file.
func TestLimitsWhatTheEngineCosts(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	for name, file := range map[string][]byte{"forms in forms": pdftest.Nesting(), "content that inflates": pdftest.Swelling(), "a giant picture": pdftest.Giant()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := New(child(t, partReal, Options{Timeout: patient, CPU: 2 * time.Second, Memory: 128 << 20}))
			got := inspect(t, i, file)
			given := got.Problem == ProblemBroken || got.Problem == ProblemTooSlow
			if !given && (got.Reading.Text || got.Reading.Unread.Count+got.Reading.Scanned.Count != 1) {
				t.Errorf("got %+v, %+v", got, got.Reading)
			}
			usable(t, i)
		})
	}
}

func TestTellsThatAFileDoesNotFitInMemory(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{Memory: 48 << 20}))
	file, size := padded(64 << 20)
	got, err := i.Inspect(t.Context(), file, size)
	if err != nil || got.Problem != ProblemTooLarge {
		t.Errorf("got %+v, %v, want too large", got, err)
	}
}

func TestBlamesTheFileOnlyForWhatItDid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, part, want string
	}{
		{"a child that is killed", partKilled, "killed from outside"},
		{"a child that cannot confine itself", partRefuse, "did not confine itself (exit status 3)"},
		{"a child that cannot read", partDeaf, "could not read"},
		{"a child that is no such program", "-test.run=^$", "did not confine itself"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			i := New(child(t, c.part, Options{}))
			file := pdftest.Make(1000) // more than a pipe holds
			_, err := i.Inspect(t.Context(), bytes.NewReader(file), int64(len(file)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			usable(t, i)
		})
	}
	t.Run("a program that is missing", func(t *testing.T) {
		t.Parallel()
		_, err := New(Options{Command: []string{"/nowhere/web"}}).Inspect(t.Context(), strings.NewReader("%PDF-"), 5)
		if err == nil || !strings.Contains(err.Error(), "start child") {
			t.Errorf("got %v, want that the child did not start", err)
		}
	})
}

func TestTakesNothingPrintedForAnAnswer(t *testing.T) {
	t.Parallel()
	if got := inspect(t, New(child(t, partPrinter, Options{})), pdftest.Make(3)); got.Pages != 3 {
		t.Errorf("got %+v, want three pages", got)
	}
}

// Not parallel: it counts what the whole program allocates.
func TestHoldsNoFileInTheParent(t *testing.T) {
	const little = 8 << 20
	i := New(child(t, partReal, Options{Timeout: patient}))
	file, size := padded(349_000_000) // nearly as large as any may be
	begun := time.Now()
	all := allocated(func() {
		if got, err := i.Inspect(t.Context(), file, size); err != nil || got.Pages != 1 {
			t.Errorf("got %+v, %v, want one page", got, err)
		}
	})
	t.Logf("%d bytes in %s", size, time.Since(begun))
	if all > little {
		t.Errorf("allocated %d bytes for a large file", all)
	}
	bomb := pdftest.Bomb()
	all = allocated(func() {
		// Memory or processor time: what runs out first depends on the machine.
		if got := inspect(t, i, bomb); got.Problem != ProblemBroken && got.Problem != ProblemTooSlow {
			t.Errorf("got %+v, want broken or too slow", got)
		}
	})
	if all > little {
		t.Errorf("allocated %d bytes for a bomb", all)
	}
}

// allocated counts the bytes that f allocates, including garbage.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// padded gives a PDF of one page and so many zero bytes that nothing refers to, without holding it.
func padded(padding int) (io.Reader, int64) {
	const mark = "PADDING"
	file := string(pdftest.Build("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R "+pdftest.A4+" >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", padding, mark)))
	before, after, _ := strings.Cut(file, mark)
	table := strings.LastIndex(file, "xref\n0")
	after = strings.Replace(after, fmt.Sprint("startxref\n", table), fmt.Sprint("startxref\n", table-len(mark)+padding), 1)
	r := io.MultiReader(strings.NewReader(before), io.LimitReader(zeros{}, int64(padding)), strings.NewReader(after))
	return r, int64(len(before) + len(after) + padding)
}

// zeros reads as zero bytes without end.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestProcessorTimeFollowsTheFile: a small file cannot hold a slot for as long as a large one.
func TestProcessorTimeFollowsTheFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size  int64
		pages int
		want  time.Duration
	}{{8_000, 1, 5 * time.Second}, {8_000, 100, 6 * time.Second}, {10_000_000, 1, 7 * time.Second}, {350_000_000, 1, 20 * time.Second}, {8_000, 1 << 40, 20 * time.Second}} {
		if got := (Options{}).withDefaults().cpu(c.size) + PagesCPU(c.pages); got.Truncate(time.Second) != c.want {
			t.Errorf("%d bytes, %d pages: got %s, want %s", c.size, c.pages, got, c.want)
		}
	}
}
