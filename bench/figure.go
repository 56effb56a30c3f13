package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// figure is one line of output: medians of ours and the reference, and their ratio.
type figure struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"`
	Ours      float64 `json:"ours"`
	Reference float64 `json:"reference"`
	Ratio     float64 `json:"ratio"`
	Goal      string  `json:"goal"` // of the ratio
	OK        bool    `json:"ok"`
	Runs      int     `json:"runs"`
	Min       float64 `json:"min"`    // of ours
	Max       float64 `json:"max"`    // of ours
	Others    float64 `json:"others"` // largest share of the processors that others used before and after, from 0 to 1
}

// goal is the value that a ratio must reach.
type goal struct {
	most  bool // the ratio must not exceed the value; otherwise not fall below it
	value float64
}

func atLeast(value float64) goal { return goal{false, value} }
func atMost(value float64) goal  { return goal{true, value} }

func (g goal) met(ratio float64) bool {
	if g.most {
		return ratio <= g.value
	}
	return ratio >= g.value
}

func (g goal) String() string {
	if g.most {
		return fmt.Sprintf("<= %.2f", g.value)
	}
	return fmt.Sprintf(">= %.2f", g.value)
}

// pairs are the runs of a figure.
type pairs struct{ ours, reference []float64 }

func (p pairs) figure(name, unit string, g goal) figure {
	ours, reference := median(p.ours), median(p.reference)
	ratio := ours / reference
	return figure{
		Name: name, Unit: unit, Ours: rounded(ours), Reference: rounded(reference), Ratio: rounded(ratio), Goal: g.String(), OK: g.met(ratio),
		Runs: len(p.ours), Min: rounded(slices.Min(p.ours)), Max: rounded(slices.Max(p.ours)),
	}
}

// against makes pairs whose reference is a limit instead of a measurement.
func against(limit float64, ours []float64) pairs {
	return pairs{ours, slices.Repeat([]float64{limit}, len(ours))}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }

// String is the line that is printed.
func (f figure) String() string {
	return fmt.Sprintf("%-14s %16s %16s  %7.3f  %-8s %-5s %s", f.Name, amount(f.Ours, f.Unit), amount(f.Reference, f.Unit), f.Ratio, f.Goal, f.verdict(), disturbed(f.Others))
}

func (f figure) verdict() string {
	if f.OK {
		return "ok"
	}
	return "short"
}

func amount(v float64, unit string) string {
	if v < 100 {
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.0f %s", v, unit)
}

func writeFigures(path string, figures []figure) error {
	text, err := json.MarshalIndent(figures, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// inTurn measures ours and the reference in turn; every other round the reference goes first.
func inTurn(name string, runs int, ours, reference func() (float64, error)) (pairs, error) {
	values, err := inRounds(name, runs, ours, reference)
	return pairs{values[0], values[1]}, err
}

// inRounds measures ours and its references once a round, every other round in the reverse order.
func inRounds(name string, runs int, measures ...func() (float64, error)) ([][]float64, error) {
	values := make([][]float64, len(measures))
	for i := range runs {
		var steps []func() error
		for j, measure := range measures {
			steps = append(steps, into(&values[j], measure))
		}
		if i%2 == 1 {
			slices.Reverse(steps)
		}
		for _, step := range steps {
			if err := step(); err != nil {
				return values, err
			}
		}
		var references []string
		for _, reference := range values[1:] {
			references = append(references, fmt.Sprintf("%.1f", reference[i]))
		}
		progress("%s %d/%d: %.1f, reference %s", name, i+1, runs, values[0][i], strings.Join(references, ", "))
	}
	return values, nil
}

func into(values *[]float64, measure func() (float64, error)) func() error {
	return func() error {
		v, err := measure()
		*values = append(*values, v)
		return err
	}
}

// progress reports progress on standard error.
func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
