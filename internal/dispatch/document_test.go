package dispatch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
)

func TestParsePages(t *testing.T) {
	t.Parallel()
	unreadable := &dispatch.Problem{Field: "giro", Key: "problem.pages.unreadable"}
	beyond := &dispatch.Problem{Field: "giro", Key: "problem.pages.range", Args: dispatch.Args{"N": 9}}
	for typed, tt := range map[string]struct {
		want    []int
		problem *dispatch.Problem
	}{
		"":                     {},
		" , ;":                 {},
		"2":                    {want: []int{2}},
		" 2 ":                  {want: []int{2}},
		"4–6":                  {want: []int{4, 5, 6}},
		"4 — 6":                {want: []int{4, 5, 6}},
		"2, 4-6;9":             {want: []int{2, 4, 5, 6, 9}},
		"9,2":                  {want: []int{2, 9}},
		"2,2,1-3":              {want: []int{1, 2, 3}},
		"3-3":                  {want: []int{3}},
		"0":                    {problem: unreadable},
		"0-2":                  {problem: unreadable},
		"x":                    {problem: unreadable},
		"6-4":                  {problem: unreadable},
		"-4":                   {problem: unreadable},
		"4-":                   {problem: unreadable},
		"1-2-3":                {problem: unreadable},
		"2,x":                  {problem: unreadable},
		"1.5":                  {problem: unreadable},
		"1-1000000000":         {problem: unreadable},
		"99999999999999999999": {problem: unreadable},
		"9":                    {want: []int{9}},
		"10":                   {problem: beyond},
		"8-10":                 {problem: beyond},
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			got, problem := dispatch.ParsePages("giro", typed, 9)
			if diff := cmp.Diff(got, tt.want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
			if diff := cmp.Diff(problem, tt.problem); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
	t.Run("takes any page when the last is unknown", func(t *testing.T) {
		t.Parallel()
		if got, p := dispatch.ParsePages("giro", "812", 0); p != nil || len(got) != 1 || got[0] != 812 {
			t.Errorf("got %v and %v, want page 812", got, p)
		}
	})
}

func TestPagesText(t *testing.T) {
	t.Parallel()
	for want, pages := range map[string][]int{
		"": nil, "2": {2}, "4–6": {4, 5, 6}, "2, 4–6, 9": {2, 4, 5, 6, 9}, "1–2": {1, 2}, "1, 3, 5": {1, 3, 5},
	} {
		if got := dispatch.PagesText(pages); got != want {
			t.Errorf("got %q for %v, want %q", got, pages, want)
		}
		if got, p := dispatch.ParsePages("giro", want, 0); p != nil || cmp.Diff(got, pages, cmpopts.EquateEmpty()) != "" {
			t.Errorf("%q reads back as %v (%v), want %v", want, got, p, pages)
		}
	}
}

func TestDocumentSheets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pages    int
		giro     []int
		excluded bool
		simplex  int
		duplex   int
	}{
		"counts nothing without pages":                   {},
		"counts a page as a sheet":                       {pages: 1, simplex: 1, duplex: 1},
		"counts two pages as one sheet of two sides":     {pages: 2, simplex: 2, duplex: 1},
		"counts five pages as three sheets of two sides": {pages: 5, simplex: 5, duplex: 3},
		"gives a giro page in the middle its own sheet":  {pages: 5, giro: []int{3}, simplex: 5, duplex: 3},
		"breaks the run before the giro page":            {pages: 4, giro: []int{2}, simplex: 4, duplex: 3},
		"counts the giro page last":                      {pages: 3, giro: []int{3}, simplex: 3, duplex: 2},
		"counts the giro page first":                     {pages: 3, giro: []int{1}, simplex: 3, duplex: 2},
		"gives two giro pages in a row a sheet each":     {pages: 4, giro: []int{2, 3}, simplex: 4, duplex: 4},
		"counts nothing of what is left out":             {pages: 5, giro: []int{3}, excluded: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dispatch.Document{Pages: tt.pages, GiroPages: tt.giro, ExcludeFromPrint: tt.excluded}
			if got := d.Sheets(false); got != tt.simplex {
				t.Errorf("got %d sheets of one side, want %d", got, tt.simplex)
			}
			if got := d.Sheets(true); got != tt.duplex {
				t.Errorf("got %d sheets of two sides, want %d", got, tt.duplex)
			}
		})
	}
}

func TestShipmentCounts(t *testing.T) {
	t.Parallel()
	s := dispatch.Shipment{Print: dispatch.PrintOptions{Duplex: true}, Documents: []dispatch.Document{
		{Size: 10, Pages: 3},
		{Size: 20, Pages: 2, GiroPages: []int{2}},
		{Size: 30, Pages: 8, GiroPages: []int{1}, ExcludeFromPrint: true},
	}}
	if sheets, giro := s.Sheets(); sheets != 4 || giro != 1 {
		t.Errorf("got %d sheets, %d of them giro, want 4 and 1: each document begins a sheet of its own", sheets, giro)
	}
	if got := s.Size(); got != 60 {
		t.Errorf("got %d bytes, want 60", got)
	}
	if s.Signing() {
		t.Error("got signing, want none")
	}
	if s.Documents[1].Sign = true; !s.Signing() {
		t.Error("got no signing, want it")
	}
}
