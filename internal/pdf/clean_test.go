package pdf

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

func TestCleansInTheChild(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{}))
	file := pdftest.Laden("Kari Nordmann", "Storgata 1", "7713 Steinkjer")
	var made []byte
	problem, err := i.Clean(t.Context(), bytes.NewReader(file), int64(len(file)), func(copied io.Reader, done dispatch.Cleaning) (err error) {
		if made, err = io.ReadAll(copied); !slices.Contains(done.Removed, dispatch.ActiveComment) {
			t.Errorf("removed %v", done.Removed)
		}
		return err
	})
	if err != nil || problem != "" {
		t.Fatalf("problem %q, error %v", problem, err)
	}
	for _, secret := range pdftest.Secrets() {
		if bytes.Contains(made, []byte(secret)) {
			t.Errorf("%s is still there", secret)
		}
	}
	if report := inspect(t, i, made); report.Problem != "" || report.Pages != 2 || len(report.Reading.Active) > 0 {
		t.Errorf("the copy: %+v", report)
	}
}

func TestCleaningFailsClearly(t *testing.T) {
	t.Parallel()
	file, full := pdftest.Laden("Kari Nordmann"), errors.New("full")
	none := func(io.Reader, dispatch.Cleaning) error { t.Error("a copy was handed over"); return nil }
	for _, c := range []struct {
		name, part string
		file       []byte
		take       func(io.Reader, dispatch.Cleaning) error
		problem    Problem
		err        error
	}{
		{"signed", partReal, pdftest.Signed("Kari Nordmann"), none, ProblemSigned, nil},
		{"no bytes", partReal, nil, none, ProblemEmpty, nil},
		{"a child that cannot confine itself", partRefuse, file, none, "", ErrUnavailable},
		{"a child that dies of the file", partCrash, file, none, ProblemBroken, nil},
		{"a child that says what cannot be", partLiar, file, none, ProblemBroken, nil},
		{"a child that never ends a line", partEndless, file, none, ProblemBroken, nil},
		{"who takes has no room", partReal, file, func(io.Reader, dispatch.Cleaning) error { return full }, "", full},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			problem, err := New(child(t, c.part, Options{})).Clean(t.Context(), bytes.NewReader(c.file), int64(len(c.file)), c.take)
			if problem != c.problem || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("got %q and %v, want %q and %v", problem, err, c.problem, c.err)
			}
		})
	}
}

func TestCleaningThatHangs(t *testing.T) {
	t.Parallel()
	file := pdftest.Laden("Kari Nordmann")
	i := New(child(t, partStalled, Options{Timeout: 50 * time.Millisecond}))
	problem, err := i.Clean(t.Context(), bytes.NewReader(file), int64(len(file)), func(io.Reader, dispatch.Cleaning) error { return nil })
	if problem != ProblemTooSlow || err != nil {
		t.Errorf("problem %q, error %v", problem, err)
	}
}

// A copy is inspected while its child still runs, whoever else waits: that is another turn.
func TestCopyIsInspectedWhileItIsTaken(t *testing.T) {
	t.Parallel()
	i := New(child(t, partReal, Options{Parallel: 1}))
	file := pdftest.Laden("Kari Nordmann")
	problem, err := i.Clean(t.Context(), bytes.NewReader(file), int64(len(file)), func(copied io.Reader, _ dispatch.Cleaning) error {
		made, err := io.ReadAll(copied)
		if err == nil {
			inspect(t, i, made)
		}
		return err
	})
	if problem != "" || err != nil {
		t.Errorf("problem %q, error %v", problem, err)
	}
}
