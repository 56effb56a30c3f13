package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"utsending/internal/pdf"
	"utsending/internal/pdf/pdftest"
)

const (
	checkTime = "pdf-check"
	// checkedPages is how long the letter is that is checked.
	checkedPages = 100
	// checkedLines is how many lines of text each of its pages has.
	checkedLines = 45
)

// measureCheck checks a long letter, and has its pages counted by PDFium in the same kind of child. The starts of the
// children are part of both.
func measureCheck(ctx context.Context, s *stage) ([]figure, error) {
	count := filepath.Join(s.dir, "count")
	if out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", count, "./cmd/bench/count").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the counting program: %w: %s", err, out)
	}
	file := longLetter()
	checker, counter := pdf.New(pdf.Options{Command: []string{s.inspector}}), pdf.New(pdf.Options{Command: []string{count}})
	checker.Prepare(ctx)
	counter.Prepare(ctx)
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	p, err := inTurn(checkTime, s.o.runs,
		func() (float64, error) { return checkOnce(ctx, checker, file) },
		func() (float64, error) { return checkOnce(ctx, counter, file) })
	if err != nil {
		return nil, err
	}
	s.note("%s includes the drawing of all %d pages.", checkTime, checkedPages)
	return []figure{p.figure(checkTime, "ms", atMost(6))}, nil
}

// checkOnce looks into the file, and returns milliseconds.
func checkOnce(ctx context.Context, i *pdf.Inspector, file []byte) (float64, error) {
	began := time.Now()
	report, err := i.Inspect(ctx, bytes.NewReader(file), int64(len(file)))
	if err == nil && report.Pages != checkedPages {
		err = fmt.Errorf("found %d pages: %s", report.Pages, report.Problem)
	}
	return float64(time.Since(began)) / float64(time.Millisecond), err
}

func longLetter() []byte {
	f := pdftest.Letter("Ola Nordmann", "Storgata 1", "7713 Steinkjer")
	page := pdftest.Page{}
	for line := range checkedLines {
		page.Content += pdftest.Text(25, 25+5.5*float64(line), "Foreldrebetalingen er beregnet av inntekten til husstanden det siste året.")
	}
	for len(f.Pages) < checkedPages {
		f.Pages = append(f.Pages, page)
	}
	return f.Bytes()
}
