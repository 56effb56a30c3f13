package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"utsending/internal/pdf"
	"utsending/internal/pdf/pdftest"
)

const (
	checkTime   = "pdf-check"
	firstPage   = "pdf-first-page"
	checkMemory = "pdf-check-memory"
	// firstPageGoal is how long the first page of a checked file may take, in milliseconds.
	firstPageGoal = 150
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
	var first []float64
	for range s.o.runs {
		took, err := drawOnce(ctx, checker, file)
		if err != nil {
			return nil, err
		}
		first = append(first, took)
	}
	memory, err := inTurn(checkMemory, s.o.runs,
		func() (float64, error) { return runChild[float64](ctx, "check", checkJob{s.inspector}) },
		func() (float64, error) { return runChild[float64](ctx, "check", checkJob{count}) })
	if err != nil {
		return nil, err
	}
	s.note("%s includes the drawing of all %d pages; %s is the peak of the child of the same file.", checkTime, checkedPages, checkMemory)
	return []figure{p.figure(checkTime, "ms", atMost(6)), against(firstPageGoal, first).figure(firstPage, "ms", atMost(1)),
		memory.figure(checkMemory, "MiB", atMost(3))}, nil
}

// checkJob is a check whose memory is measured: in a process of its own, which has no other children.
type checkJob struct{ Inspector string }

// checkOnceForMemory checks the letter, and returns the peak of the child in MiB.
func checkOnceForMemory(ctx context.Context, job checkJob) (float64, error) {
	if _, err := checkOnce(ctx, pdf.New(pdf.Options{Command: []string{job.Inspector}}), longLetter()); err != nil {
		return 0, err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		return 0, fmt.Errorf("read the memory of a child: %w", err)
	}
	return float64(used.Maxrss) / 1024, nil
}

// drawOnce has the first page drawn, and returns milliseconds.
func drawOnce(ctx context.Context, i *pdf.Inspector, file []byte) (float64, error) {
	began, drawn := time.Now(), false
	err := i.Pictures(ctx, bytes.NewReader(file), int64(len(file)), 1, 1, func([]byte) error {
		drawn = true
		return nil
	})
	if err == nil && !drawn {
		err = errors.New("the first page was not drawn")
	}
	return float64(time.Since(began)) / float64(time.Millisecond), err
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
