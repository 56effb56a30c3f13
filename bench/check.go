package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"utsending/internal/pdf"
	"utsending/internal/pdf/pdftest"
)

const (
	checkTime   = "pdf-check"
	firstPage   = "pdf-first-page"
	checkMemory = "pdf-check-memory"
	// firstPageGoal is how long the picture of the first page of a checked file may take, in milliseconds.
	firstPageGoal = 150
	// checkedPages is how long the shipment is that is checked.
	checkedPages = 100
	// checkedLines is how many lines of text each of its pages has.
	checkedLines = 45
)

// measureCheck checks a long PDF; the reference counts its pages with PDFium in the same kind of child. Both include starting the
// child.
func measureCheck(ctx context.Context, s *stage) ([]figure, error) {
	count := filepath.Join(s.dir, "count")
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "bench", "-trimpath", "-o", count, "./count").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the counting program: %w: %s", err, out)
	}
	file := longShipment()
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
	first, err := s.measureFirstPage(ctx, file)
	if err != nil {
		return nil, err
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

// checkJob is a check whose memory is measured, in a process with no other children.
type checkJob struct{ Inspector string }

// checkOnceForMemory checks the shipment, and returns the peak of the child in MiB.
func checkOnceForMemory(ctx context.Context, job checkJob) (float64, error) {
	if _, err := checkOnce(ctx, pdf.New(pdf.Options{Command: []string{job.Inspector}}), longShipment()); err != nil {
		return 0, err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		return 0, fmt.Errorf("read the memory of a child: %w", err)
	}
	return float64(used.Maxrss) / 1024, nil
}

// firstPicture is the address of the picture of a first page.
var firstPicture = regexp.MustCompile(`src="(/k/[^"]+/sider/1)"`)

// measureFirstPage uploads the PDF, and fetches the picture of its first page like a browser that shows the answer. It returns
// milliseconds.
func (s *stage) measureFirstPage(ctx context.Context, file []byte) ([]float64, error) {
	web, v, err := s.visit(ctx)
	if err != nil {
		return nil, err
	}
	defer web.stop()
	var all []float64
	for range s.o.runs {
		took, err := v.fetchFirstPage(ctx, file)
		if err != nil {
			return nil, err
		}
		all = append(all, took)
	}
	return all, nil
}

func (v *visitor) fetchFirstPage(ctx context.Context, file []byte) (float64, error) {
	id, err := v.draft(ctx)
	if err != nil {
		return 0, err
	}
	row, err := v.do(ctx, http.MethodPost, v.s.draftAddress(id)+"/dokumenter", content{file, int64(len(file))}.form("brev.pdf"))
	if err != nil {
		return 0, err
	}
	picture := firstPicture.FindStringSubmatch(row.body)
	if picture == nil {
		return 0, errors.New("the answer to an upload shows no page")
	}
	began := time.Now()
	got, err := v.do(ctx, http.MethodGet, v.s.address+picture[1], form{})
	took := time.Since(began)
	if err == nil && got.Header.Get("Content-Type") != "image/png" {
		err = errors.New("the first page was not drawn")
	}
	return float64(took) / float64(time.Millisecond), errors.Join(err, v.discard(ctx, id))
}

// checkOnce checks the file, and returns milliseconds.
func checkOnce(ctx context.Context, i *pdf.Inspector, file []byte) (float64, error) {
	began := time.Now()
	report, err := i.Inspect(ctx, bytes.NewReader(file), int64(len(file)))
	if err == nil && report.Pages != checkedPages {
		err = fmt.Errorf("found %d pages: %s", report.Pages, report.Problem)
	}
	return float64(time.Since(began)) / float64(time.Millisecond), err
}

func longShipment() []byte {
	f := pdftest.Addressed("Ola Nordmann", "Storgata 1", "7713 Steinkjer")
	page := pdftest.Page{}
	for line := range checkedLines {
		page.Content += pdftest.Text(25, 25+5.5*float64(line), "Foreldrebetalingen er beregnet av inntekten til husstanden det siste året.")
	}
	for len(f.Pages) < checkedPages {
		f.Pages = append(f.Pages, page)
	}
	return f.Bytes()
}
