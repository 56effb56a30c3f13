package follow

import (
	"strconv"

	"utsending/internal/views"
)

// chart is a column diagram with an axis, and the same in words. Its labels are HTML text, so that they keep their size.
type chart struct {
	Says    string // text alternative
	Axis    string // unit of the numbers
	Ticks   []string
	Columns []chartColumn
	Legend  []chartKey
}

// chartColumn is one column: pieces above each other, with labels below.
type chartColumn struct {
	Label, Sub, Value string
	Minor             bool // the label is hidden in small windows
	Bars              []views.Bar
}

// chartKey explains a colour.
type chartKey struct{ Class, Word string }

// chartPiece is a stacked piece of a column.
type chartPiece struct {
	N     int
	Class string
}

// chartHeight is the height of a column in its own units.
const chartHeight = 100

// With more columns than these, values are hidden in small windows, and only some columns are labelled.
const (
	chartDense    = 10
	chartLabelled = 16
	chartValued   = 31 // more have no values: the table has them
)

// dense tells whether there are many columns.
func (c chart) dense() bool { return len(c.Columns) > chartDense }

// newChart makes a chart of columns with stacked pieces, from the bottom up; format formats values of the axis.
func newChart(columns []chartColumn, pieces [][]chartPiece, format func(int) string) chart {
	most := 0
	sums := make([]int, len(columns))
	for i, of := range pieces {
		for _, one := range of {
			sums[i] += one.N
		}
		most = max(most, sums[i])
	}
	top := niceTop(most)
	every := (len(columns) + chartLabelled - 1) / chartLabelled
	for i := range columns {
		if len(columns) <= chartValued {
			columns[i].Value = format(sums[i])
		}
		if i%every != 0 {
			columns[i].Label, columns[i].Sub = "", ""
		}
		columns[i].Minor = len(columns) > chartDense && i/every%2 == 1
		y := float64(chartHeight)
		for _, one := range pieces[i] {
			if one.N == 0 {
				continue
			}
			h := float64(one.N) * chartHeight / float64(top)
			y -= h
			columns[i].Bars = append(columns[i].Bars, views.Bar{X: "1", Y: decimal(y), Width: "8", Height: decimal(h), Class: one.Class})
		}
	}
	return chart{Ticks: []string{format(top), format(top / 2), format(0)}, Columns: columns}
}

// niceTop is the smallest round even number that is at least n.
func niceTop(n int) int {
	if n <= 8 {
		return max(n+n%2, 2)
	}
	for unit := 1; ; unit *= 10 {
		for _, m := range []int{10, 12, 16, 20, 30, 40, 50, 60, 80} {
			if m*unit >= n {
				return m * unit
			}
		}
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }
