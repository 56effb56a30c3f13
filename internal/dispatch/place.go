package dispatch

import "slices"

// Place is the location of a finding, on the first page that has it. Lengths are in millimetres.
type Place struct {
	Page          int
	Width, Height float64 // of the page; 0 if unknown
	Areas         []Area  // none: the whole page
}

// Area is a rectangle on a page; the origin is the upper left corner.
type Area struct{ X, Y, Width, Height float64 }

// place returns the location of a finding; nil if it concerns the whole file, or the page cannot be drawn.
func (r FileReading) place(f Finding, rules PrintRules) *Place {
	undrawn := f.Severity == SeverityUnchecked && (f.Check == CheckMargin || f.Check == CheckBarcode)
	if len(f.Pages.First) == 0 || undrawn {
		return nil
	}
	p := &Place{Page: f.Pages.First[0]}
	if size, known := r.sizeOf(p.Page); known {
		p.Width, p.Height = size.Width, size.Height
		for _, a := range r.areas(f.Check, p.Page, rules, size) {
			if a = a.on(size); a.Width > 0 && a.Height > 0 {
				p.Areas = append(p.Areas, a)
			}
		}
	}
	return p
}

// sizeOf returns the size of a page. Where sizes alternate, only the first page of each size is known.
func (r FileReading) sizeOf(page int) (PageSize, bool) {
	i := slices.IndexFunc(r.Sizes, func(s PageSize) bool { return s.First == page })
	if i < 0 && len(r.Sizes) == 1 {
		i = 0
	}
	if i < 0 {
		return PageSize{}, false
	}
	return r.Sizes[i], true
}

// areas returns the areas on a page that a check concerns.
func (r FileReading) areas(c Check, page int, rules PrintRules, size PageSize) []Area {
	switch c {
	case CheckNumber:
		return numberAreas(rules.inWindow(r.Words))
	case CheckInside:
		return numberAreas(r.Words)
	case CheckRecipient, CheckBlank:
		if words := rules.inWindow(r.Words); len(words) > 0 {
			return []Area{around(words)}
		}
	case CheckWindow:
		return r.unreadAreas(rules)
	case CheckMargin:
		if page <= len(r.Ink) {
			return rules.marginAreas(r.Ink[page-1], size)
		}
	case CheckBarcode:
		return []Area{{0, BarcodeTop, float64(rules.BarcodeWidth), BarcodeBottom - BarcodeTop}}
	}
	return nil
}

// numberAreas returns the lines that hold a national identity number.
func numberAreas(words []Word) []Area {
	var all []Area
	for _, line := range wordColumns(words) {
		if HoldsNationalID(lineTexts(columns(line))[0]) {
			all = append(all, around(line))
		}
	}
	return all
}

// around returns the bounding box of words.
func around(words []Word) Area {
	all := wordArea(words[0])
	for _, w := range words[1:] {
		all = all.with(wordArea(w))
	}
	return all
}

func wordArea(w Word) Area { return Area{w.X, w.Y, w.Width, w.Height} }

func (a Area) with(b Area) Area {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return Area{x, y, max(a.X+a.Width, b.X+b.Width) - x, max(a.Y+a.Height, b.Y+b.Height) - y}
}

// on clips an area to the page.
func (a Area) on(s PageSize) Area {
	x, y := max(a.X, 0), max(a.Y, 0)
	return Area{x, y, min(a.X+a.Width, s.Width) - x, min(a.Y+a.Height, s.Height) - y}
}

// unreadAreas returns the unreadable ink in the window, or the whole window if there is no such ink.
func (r FileReading) unreadAreas(rules PrintRules) []Area {
	found := r.unreadInWindow(rules, len(rules.inWindow(r.Words)) > 0)
	if len(found) == 0 {
		return []Area{{float64(rules.WindowLeft), float64(rules.WindowTop), float64(rules.WindowWidth), float64(rules.WindowHeight)}}
	}
	all := Area{found[0].X, found[0].Y, found[0].Width, found[0].Height}
	for _, a := range found[1:] {
		all = all.with(Area{a.X, a.Y, a.Width, a.Height})
	}
	return []Area{all}
}

// inMargins tells which margins have ink: left, top, right, bottom.
func (rules PrintRules) inMargins(b InkBounds) (in [4]bool) {
	side, end := rules.SideMargin*10-inkSlack, rules.EndMargin*10-inkSlack
	return [4]bool{b[0] < side, b[1] < end, b[2] < side, b[3] < end}
}

// marginAreas returns the margins that have ink.
func (rules PrintRules) marginAreas(b InkBounds, size PageSize) []Area {
	side, end := float64(rules.SideMargin), float64(rules.EndMargin)
	var all []Area
	for i, in := range rules.inMargins(b) {
		if in {
			all = append(all, [...]Area{
				{0, 0, side, size.Height}, {0, 0, size.Width, end},
				{size.Width - side, 0, side, size.Height}, {0, size.Height - end, size.Width, end},
			}[i])
		}
	}
	return all
}

// Where describes an area's location by catalogue words: its third from the top and from the left, or the edge along
// which it lies.
func (p Place) Where(a Area) (down, across string) {
	const most = 0.8 // of the page's length: an area this long lies along an edge
	middle := a.X + a.Width/2
	down = third(a.Y+a.Height/2, p.Height, [3]string{"top", "middle", "bottom"})
	across = third(middle, p.Width, [3]string{"left", "centre", "right"})
	switch {
	case a.Width > most*p.Width:
		return down, "all"
	case a.Height > most*p.Height && middle < p.Width/2:
		return "all", "left"
	case a.Height > most*p.Height:
		return "all", "right"
	}
	return down, across
}

func third(at, length float64, words [3]string) string {
	return words[min(max(int(3*at/length), 0), 2)]
}
