package dispatch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

// TestTellsWhereAFindingIs: the page and the area of each kind of finding, also in words.
func TestTellsWhereAFindingIs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*dispatch.FileReading)
		want   string
	}{
		"a number in the window": {func(r *dispatch.FileReading) { r.Words[2].Text = "12847810082" }, "number 1 [{25 46 25 4}] top.left, recipient 1 [{25 40 25 16}] top.left"},
		"another recipient":      {func(r *dispatch.FileReading) { r.Words[0].Text = "Kari" }, "recipient 1 [{25 40 25 16}] top.left"},
		"a picture in the window": {func(r *dispatch.FileReading) {
			r.Words, r.Wordless = nil, []dispatch.InkArea{{X: 25, Y: 50, Width: 30, Height: 5}, {X: 25, Y: 60, Width: 20, Height: 5}}
		}, "window 1 [{25 50 30 15}] top.left"},
		"a window that was not read":    {func(r *dispatch.FileReading) { r.Words, r.Text = nil, false }, "window 1 [{0 0 125 89}] top.left"},
		"ink in two margins":            {func(r *dispatch.FileReading) { r.Ink[1] = dispatch.InkBounds{50, 30, 100, 10, 150} }, "margin 2 [{0 0 10 297} {0 294 210 3}] all.left bottom.all"},
		"ink at the barcode":            {func(r *dispatch.FileReading) { r.Ink[1][4] = 100 }, "barcode 2 [{0 95 15 80}] middle.left"},
		"a page that is not A4":         {func(r *dispatch.FileReading) { r.Sizes[0].Width = 216 }, "size 1 []"},
		"a margin of unknown extent":    {func(r *dispatch.FileReading) { r.Sizes = append(r.Sizes, r.Sizes[0]); r.Ink[1][0] = 50 }, "margin 2 []"},
		"what is of the file as whole":  {func(r *dispatch.FileReading) { r.Restricted = true }, "restricted"},
		"a margin that was not drawn":   {func(r *dispatch.FileReading) { r.Ink = r.Ink[:1] }, "margin, barcode"},
		"a page with words off its box": {func(r *dispatch.FileReading) { r.Words[0].Text, r.Words[0].X = "Kari", -5 }, "recipient 1 [{0 40 50 16}] top.left"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shipmentTo(2, toAse...)
			tt.change(s.Documents[0].Reading)
			var got []string
			for _, f := range s.Findings(withoutSheet())["a"] {
				text := string(f.Check)
				if p := f.Place; p != nil {
					text += fmt.Sprint(" ", p.Page, " ", p.Areas)
					for _, a := range p.Areas {
						down, across := p.Where(a)
						text += " " + down + "." + across
					}
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
