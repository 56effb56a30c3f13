package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// ledger has how long each kind of page took, and what went wrong.
type ledger struct {
	mu     sync.Mutex
	took   map[string][]time.Duration
	failed map[string]int
	said   []string // the first failures
}

func newLedger() *ledger {
	return &ledger{took: map[string][]time.Duration{}, failed: map[string]int{}}
}

func (d *ledger) enter(kind string, took time.Duration, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.took[kind] = append(d.took[kind], took)
		return
	}
	if d.failed[kind]++; len(d.said) < 10 {
		d.said = append(d.said, kind+": "+err.Error())
	}
}

func (d *ledger) failures() (n int) {
	for _, of := range d.failed {
		n += of
	}
	return n
}

// quantile is the smallest value that is not exceeded by a share of the sorted values.
func quantile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// print writes the table of a phase.
func (d *ledger) print(out io.Writer, title string) {
	fmt.Fprintf(out, "\n%s\n\n| Page | Requests | p50 ms | p95 ms | p99 ms | slowest ms | errors |\n|---|---:|---:|---:|---:|---:|---:|\n", title)
	kinds := map[string]bool{}
	for kind := range d.took {
		kinds[kind] = true
	}
	for kind := range d.failed {
		kinds[kind] = true
	}
	all := []time.Duration{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, d.took[kind]...)
		row(out, kind, d.took[kind], d.failed[kind])
	}
	row(out, "all", all, d.failures())
	for i, said := range d.said {
		fmt.Fprintf(out, "%serror: %s\n", strings.Repeat("\n", max(0, 1-i)), said)
	}
}

func row(out io.Writer, kind string, took []time.Duration, failed int) {
	slices.Sort(took)
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %d |\n", kind, len(took)+failed, quantile(took, 0.5).Milliseconds(), quantile(took, 0.95).Milliseconds(),
		quantile(took, 0.99).Milliseconds(), quantile(took, 1).Milliseconds(), failed)
}

// watched holds the samples of memory and connections, one a second.
type watched struct {
	memory      [][]float64 // MiB, of each copy of web
	connections []float64   // of the database
}

// watch measures until ctx ends.
func (l *loaded) watch(ctx context.Context) (watched, error) {
	w := watched{memory: make([][]float64, len(l.webs))}
	for {
		select {
		case <-ctx.Done():
			return w, nil
		case <-time.After(time.Second):
		}
		for i, web := range l.webs {
			now, _, err := web.memory()
			if err != nil {
				return w, fmt.Errorf("copy %d of web: %w", i+1, err)
			}
			w.memory[i] = append(w.memory[i], now)
		}
		var n float64
		if err := l.s.db.QueryRowContext(context.WithoutCancel(ctx), `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`).Scan(&n); err != nil {
			return w, err
		}
		w.connections = append(w.connections, n)
	}
}

// fifths are the means of the second and of the last fifth: in the first everything fills.
func fifths(values []float64) (second, last float64) {
	n := len(values) / 5
	if n == 0 {
		return 0, 0
	}
	return mean(values[n : 2*n]), mean(values[len(values)-n:])
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

// tolerated is the largest ratio of the last fifth to the second; the heap varies with garbage collection.
const tolerated = 1.2

// enough is how many minutes it takes until all pools and caches are full.
const enough = 5

// report prints the tables. Its error names the limits that were exceeded.
func (l *loaded) report(out io.Writer, c crowd, calm, busy *ledger, w watched, rude *rudeness) error {
	fmt.Fprintf(out, "%s. %d people for %g minutes at 2 copies of web, %s of thought between two pages, %d items. %s\n",
		machine(), c.people, c.minutes, c.think, c.items, disturbed(l.others))
	calm.print(out, "People at work")
	missed := []error{}
	tell := func(what, unit string, values []float64) {
		second, last := fifths(values)
		fmt.Fprintf(out, "- %s: %.0f %s in the second fifth, %.0f in the last, %.0f at most\n", what, second, unit, last, slices.Max(append(values, 0)))
		if c.minutes >= enough && last > second*tolerated+1 {
			missed = append(missed, fmt.Errorf("%s grows", what))
		}
	}
	fmt.Fprintln(out)
	for i := range w.memory {
		tell(fmt.Sprintf("memory of copy %d", i+1), "MiB", w.memory[i])
	}
	tell("connections of the database", "", w.connections)
	if c.rude > 0 {
		busy.print(out, "The same while others are rude")
		rude.print(out)
	}
	if n := calm.failures() + busy.failures(); n > 0 {
		missed = append(missed, fmt.Errorf("%d errors", n))
	}
	for _, note := range l.s.notes {
		fmt.Fprintln(out, "note:", note)
	}
	return errors.Join(missed...)
}
