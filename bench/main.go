// Command bench measures speed and memory. Each figure has a reference measured in turn with it in the same run on the same
// machine: only the ratio can be compared between machines.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// options are what the command line says.
type options struct {
	runs int
	only string
	size int64 // of one uploaded file, in bytes

	messages int // of a job
	items    int // of the largest account
	people   int // simulated users of a load test, besides the measured user
	web      string
	out      string
	write    string // document whose table is filled in
}

// measurement is a group of figures from the same runs.
type measurement struct {
	names   []string
	measure func(context.Context, *stage) ([]figure, error)
}

func measurements(o options) []measurement {
	upload, submit := fmt.Sprintf("upload-%d", o.size/1e6), fmt.Sprintf("submit-%d", o.size/1e6)
	return []measurement{
		{[]string{upload}, measureUpload},
		{[]string{uploadMemory}, measureUploadMemory},
		{[]string{submit, submitMemory}, measureSubmit},
		{[]string{encryptTime(o), encryptMemory}, measureEncrypt},
		{[]string{listPage}, measureList},
		{largeNames(), measureLarge},
		{[]string{checkTime, firstPage, checkMemory}, measureCheck},
		{deliveryNames(), measureDelivery},
		{[]string{storeItems, storeClaims}, measureStore},
		{[]string{importRows}, measureImport},
		{[]string{forecastRows}, measureForecast},
		{[]string{importMemory}, measureImportMemory},
		{speedNames(), measureSpeed},
		{[]string{idleMemory, readyTime}, measureStart},
	}
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "child" {
		exit(runAsChild(os.Args[2]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == "load" {
		exit(runCrowd(ctx, os.Args[2:]))
	}
	o, err := readOptions()
	if err == nil {
		err = run(ctx, o)
	}
	exit(err)
}

// exit ends the program; a missed goal is not an error.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func readOptions() (options, error) {
	var o options
	megabytes := flag.Int64("size", 350, "size of one file in `MB`")
	flag.IntVar(&o.runs, "runs", 5, "runs of each figure; medians of fewer than five say little")
	flag.IntVar(&o.messages, "messages", 10_000, "SMS of one job")
	flag.IntVar(&o.items, "items", 1_000_000, "items of the largest account")
	flag.StringVar(&o.only, "only", "", "measure only figures whose name contains `NAME`")
	flag.StringVar(&o.web, "web", "bin/web", "the program to measure")
	flag.StringVar(&o.out, "out", "bench.json", "where the figures are written")
	flag.StringVar(&o.write, "write", "", "`DOCUMENT` whose table is filled in with the figures, docs/performance.md")
	flag.Parse()
	o.size = *megabytes * 1e6
	switch {
	case flag.NArg() > 0:
		return o, fmt.Errorf("%q is no option", flag.Arg(0))
	case o.runs < 1 || *megabytes < 1 || o.messages < 1 || o.items < 2*rowsShown:
		return o, errors.New("-runs, -size and -messages are at least 1, -items at least 100")
	}
	return o, nil
}

func run(ctx context.Context, o options) error {
	chosen := slices.DeleteFunc(measurements(o), func(m measurement) bool { return !slices.ContainsFunc(m.names, o.wants) })
	if len(chosen) == 0 {
		return fmt.Errorf("no figure has %q in its name", o.only)
	}
	s, err := newStage(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	figures, err := s.measure(ctx, chosen)
	if err != nil {
		return err
	}
	for _, note := range s.notes {
		fmt.Println("note:", note)
	}
	if slices.ContainsFunc(figures, func(f figure) bool { return disturbed(f.Others) != "" }) {
		fmt.Println("note: disturbed: that share of the processors was busy with other programs. Ours suffers more from that than the references: run those again on a quiet machine, with -only.")
	}
	if err := writeFigures(o.out, figures); err != nil || o.write == "" {
		return err
	}
	return s.writeBench(ctx, o, figures)
}

// measure prints each figure as soon as it is measured, and marks those before or after which others were busy.
func (s *stage) measure(ctx context.Context, chosen []measurement) ([]figure, error) {
	var figures []figure
	before, err := listen(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range chosen {
		measured, err := m.measure(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.names[0], err)
		}
		if err := s.settle(ctx); err != nil { // or we would hear our own database
			return nil, err
		}
		after, err := listen(ctx)
		if err != nil {
			return nil, err
		}
		others := max(before, after)
		before = after
		for _, f := range measured {
			f.Others = others
			if s.o.wants(f.Name) {
				fmt.Println(f)
				figures = append(figures, f)
			}
		}
	}
	return figures, nil
}

func (o options) wants(name string) bool { return strings.Contains(name, o.only) }
