package dispatch

import (
	"slices"
	"strings"
)

// SliceMatcher finds the row of a list that a slice is addressed to. It never guesses: of two that fit, neither is taken.
type SliceMatcher struct {
	rules PrintRules
	rows  []matchRow
	uses  map[string]int   // of a word in names
	by    map[string][]int // rows by the rarest word of their name
}

type matchRow struct {
	place int
	to    PostalAddress
	words []string // of the name
	out   bool
}

// NewSliceMatcher returns a matcher with no rows.
func NewSliceMatcher(rules PrintRules) *SliceMatcher {
	return &SliceMatcher{rules: rules, uses: map[string]int{}}
}

// Add adds a row by its place in the list, from 1. One that is left out gets its slice too, unless it stands for the same
// recipient as one that is not.
func (m *SliceMatcher) Add(place int, to PostalAddress, leftOut bool) {
	words := bareWords(strings.Fields(to.Name))
	if len(words) == 0 {
		return
	}
	for _, word := range words {
		m.uses[word]++
	}
	m.rows = append(m.rows, matchRow{place, to, words, leftOut})
	m.by = nil
}

// Find returns the place of the row that the first page of a slice is addressed to, or why there is none. The page names
// the recipient in the window; where several rows have the name, the whole address decides.
func (m *SliceMatcher) Find(r *FileReading) (int, UnassignedReason) {
	if r == nil || !r.Text {
		return 0, SliceNotRead
	}
	var named, exact []matchRow
	lines := columns(m.rules.inWindow(r.Words))
	for _, i := range m.candidates(lines) {
		if row := m.rows[i]; names(lines, row.to.Name) {
			named = append(named, row)
			if w := r.Window(m.rules, row.to); w != nil && !w.Missing() {
				exact = append(exact, row)
			}
		}
	}
	fit := exact
	if len(fit) == 0 {
		fit = named
	}
	if in := slices.DeleteFunc(slices.Clone(fit), func(r matchRow) bool { return r.out }); len(in) > 0 {
		fit = in
	}
	switch {
	case len(fit) == 0:
		return 0, SliceNobody
	case len(fit) > 1, slices.ContainsFunc(named, func(o matchRow) bool { return !holdsAll(fit[0].words, o.words) }):
		return 0, SliceSeveral
	}
	return fit[0].place, ""
}

// candidates are the rows whose name may stand in lines, in order.
func (m *SliceMatcher) candidates(lines [][]string) []int {
	if m.by == nil {
		m.by = map[string][]int{}
		for i, row := range m.rows {
			rarest := slices.MinFunc(row.words, func(a, b string) int { return m.uses[a] - m.uses[b] })
			m.by[rarest] = append(m.by[rarest], i)
		}
	}
	var found []int
	for _, word := range bareWords(slices.Concat(lines...)) {
		found = append(found, m.by[word]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
