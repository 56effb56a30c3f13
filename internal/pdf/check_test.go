package pdf

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

// TestCheckReadsAndDraws: one report of both; of a file that cannot be read nothing is drawn, and nobody waits for it.
func TestCheckReadsAndDraws(t *testing.T) {
	t.Parallel()
	opened := func(file []byte, times *atomic.Int32) func() io.Reader {
		return func() io.Reader { times.Add(1); return bytes.NewReader(file) }
	}
	var times atomic.Int32
	file := pdftest.Make(2)
	report, err := New(drawer(t, partInk)).Check(t.Context(), opened(file, &times), int64(len(file)))
	if err != nil || report.Pages != 2 || report.Reading == nil || len(report.Reading.Ink) != 1 || report.Reading.Ink[0] != (dispatch.InkBounds{0, 0, 30, 20, none}) {
		t.Errorf("got %+v, %v", report, err)
	}
	if times.Load() != 2 {
		t.Errorf("the file was opened %d times", times.Load())
	}
	t.Run("a text", func(t *testing.T) {
		t.Parallel()
		o := drawer(t, partHangs)
		o.Timeout = time.Hour // who waits for the drawing waits too long
		text := []byte("Dette er ingen PDF.")
		report, err := New(o).Check(t.Context(), opened(text, &times), int64(len(text)))
		if err != nil || report.Problem != ProblemNotPDF || report.Reading != nil {
			t.Errorf("got %+v, %v", report, err)
		}
	})
	t.Run("a file that cannot be had", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("the disk is gone")
		_, err := New(drawer(t, partInk)).Check(t.Context(), func() io.Reader { return iotest.ErrReader(broken) }, 100)
		if !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	})
}
