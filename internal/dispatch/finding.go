package dispatch

import (
	"math"
	"slices"
	"strings"
)

// Finding is a judgement on a PDF: a check that it does not pass.
type Finding struct {
	Check    Check
	Severity Severity
	Pages    PageSet // none: the whole file
	Args     Args    // for the text
	Place    *Place  // nil: it cannot be shown on a page
}

// Findings returns the findings of each file of a shipment, under the account's rules.
func (s Shipment) Findings(rules PrintRules) map[DocumentID][]Finding {
	all := map[DocumentID][]Finding{}
	first := true
	for _, d := range s.Documents {
		printed := !s.DigitalOnly && !d.ExcludeFromPrint
		list := d.findings(rules, s.Recipient.Postal, printed, printed && first)
		if d.Sign && !s.repliesToOrganization() && rules.Of(CheckSignReply) == SeverityWarning { // ValidateSigning refuses it elsewhere
			list = slices.Insert(list, 0, Finding{Check: CheckSignReply, Severity: SeverityWarning})
		}
		if len(list) > 0 {
			all[d.ID] = list
		}
		first = first && !printed
	}
	return all
}

// Leading returns the document whose first page is printed first, if one is printed.
func (s Shipment) Leading() (Document, bool) {
	for _, d := range s.Documents {
		if !s.DigitalOnly && !d.ExcludeFromPrint {
			return d, true
		}
	}
	return Document{}, false
}

// Stopped returns a problem for each file with a finding that stops the shipment.
func (s Shipment) Stopped(rules PrintRules) Problems {
	var ps Problems
	findings := s.Findings(rules)
	for _, d := range s.Documents {
		if slices.ContainsFunc(findings[d.ID], func(f Finding) bool { return f.Severity == SeverityStop }) {
			ps.add(&Problem{Field: FieldDocument + string(d.ID), Key: "problem.file.stopped", Args: Args{"Name": d.FileName}})
		}
	}
	return ps
}

// findings returns the findings of one file. The print rules apply only to printed files, and only the leading file's
// first page must name the recipient.
func (d Document) findings(rules PrintRules, to PostalAddress, printed, leads bool) []Finding {
	if !d.PDF() || d.Found != DocumentFine {
		return nil // problems of the whole file are shown elsewhere
	}
	if d.Reading == nil {
		return []Finding{{Check: CheckRead, Severity: SeverityUnchecked}}
	}
	l := findingList{rules: rules}
	if leads {
		l.firstPage(*d.Reading, to)
	}
	if printed {
		l.sizes(d.Reading.Sizes)
	}
	l.active(d.Reading.Active)
	if printed {
		l.print(d)
	}
	l.reading(*d.Reading)
	for i := range l.found {
		l.found[i].Place = d.Reading.place(l.found[i], rules)
	}
	return l.found
}

// findingList collects findings of the rules that the account has not turned off.
type findingList struct {
	rules PrintRules
	found []Finding
}

func (l *findingList) add(c Check, pages PageSet, args Args) {
	if s := l.rules.Of(c); s != SeverityOff {
		l.found = append(l.found, Finding{Check: c, Severity: s, Pages: pages, Args: args})
	}
}

func (l *findingList) unchecked(c Check, pages PageSet) {
	if l.rules.Of(c) != SeverityOff {
		l.found = append(l.found, Finding{Check: c, Severity: SeverityUnchecked, Pages: pages})
	}
}

func onPage(page int) PageSet {
	if page == 0 {
		return PageSet{}
	}
	return PageSet{Count: 1, First: []int{page}}
}

// firstPage compares the first page with the recipient. Without the service's cover sheet its upper left shows in the
// envelope's window; behind a cover sheet it must only not be addressed to somebody else.
func (l *findingList) firstPage(r FileReading, to PostalAddress) {
	w := r.Window(l.rules, to)
	if l.rules.CoverSheet {
		if r.holdsNationalID() {
			l.add(CheckInside, onPage(1), nil)
		}
		if w != nil && w.Elsewhere {
			l.add(CheckRecipient, onPage(1), nil)
		}
		return
	}
	switch {
	case w != nil && w.Number:
		l.add(CheckNumber, onPage(1), nil)
	case slices.Contains(r.Unread.First, 1), w == nil && !r.Text, len(r.unreadInWindow(l.rules, w != nil)) > 0:
		l.found = append(l.found, Finding{Check: CheckWindow, Severity: SeverityUnchecked, Pages: onPage(1)})
	}
	if w == nil {
		return
	}
	l.add(CheckBlank, onPage(1), nil)
	if l.rules.Of(CheckBlank) == SeverityOff && w.Missing() && !isBlank(to.Name) {
		l.add(CheckRecipient, onPage(1), nil)
	}
}

// a4 in millimetres; sizes are rounded to tenths, and US Letter is 6 mm wider.
const (
	a4Width, a4Height = 210, 297
	larger            = 2
)

func (l *findingList) sizes(sizes []PageSize) {
	var other, lying PageSet
	for _, s := range sizes {
		switch {
		case l.fits(s.Width, s.Height):
		case l.fits(s.Height, s.Width):
			lying.addSize(s)
		default:
			other.addSize(s)
		}
	}
	if other.Count > 0 {
		l.add(CheckSize, other, nil)
	}
	if lying.Count > 0 {
		l.add(CheckLandscape, lying, nil)
	}
}

func (p *PageSet) addSize(s PageSize) {
	p.Add(s.First)
	p.Count += s.Pages - 1
}

func (l *findingList) fits(width, height float64) bool {
	within := func(got, want float64) bool { return got >= want-float64(l.rules.Smaller) && got <= want+larger }
	return within(width, a4Width) && within(height, a4Height)
}

func (l *findingList) active(all []Active) {
	for _, c := range []Check{CheckPortfolio, CheckXFA, CheckLaunch, CheckScript, CheckFile, CheckForm, CheckMedia, CheckSigned, CheckComment, CheckAuthor} {
		for _, a := range all {
			if string(a.Kind) == string(c) {
				l.add(c, onPage(a.Page), nil)
			}
		}
	}
}

func (l *findingList) print(d Document) {
	r := *d.Reading
	if len(r.Fonts) > 0 {
		names, pages := []string{}, PageSet{}
		for _, f := range r.Fonts {
			names = append(names, f.Name)
			if f.Page > 0 && !slices.Contains(pages.First, f.Page) {
				pages.Add(f.Page)
			}
		}
		l.add(CheckFonts, pages, Args{"Fonts": strings.Join(names, ", ")})
	}
	l.ink(r.Ink, d.Pages)
	if r.Restricted {
		l.add(CheckEncrypted, PageSet{}, nil)
	}
	if newer(r.Version) {
		l.add(CheckVersion, PageSet{}, Args{"Version": r.Version})
	}
	if l.rules.MaxPages > 0 && d.Pages > l.rules.MaxPages {
		l.add(CheckPages, PageSet{}, Args{"N": d.Pages, "Most": l.rules.MaxPages})
	}
}

// newer tells whether a version is above 1.7, the last that printers say they take.
func newer(version string) bool { return version != "" && !strings.HasPrefix(version, "1.") }

// inkSlack is how far ink may reach into a margin, in tenths of a millimetre: one pixel and its antialiasing.
const inkSlack = 10

func (l *findingList) ink(bounds []InkBounds, pages int) {
	var margin, barcode, undrawn PageSet
	for i, b := range bounds {
		if l.rules.inMargins(b) != [4]bool{} {
			margin.Add(i + 1)
		}
		if b[4] < l.rules.BarcodeWidth*10-inkSlack {
			barcode.Add(i + 1)
		}
	}
	for page := len(bounds) + 1; page <= pages && len(bounds) > 0; page++ {
		undrawn.Add(page)
	}
	for _, f := range []struct {
		check Check
		pages PageSet
	}{{CheckMargin, margin}, {CheckBarcode, barcode}} {
		if f.pages.Count > 0 {
			l.add(f.check, f.pages, nil)
		}
		if len(bounds) < pages {
			l.unchecked(f.check, undrawn)
		}
	}
}

func (l *findingList) reading(r FileReading) {
	if r.Irregular {
		l.add(CheckIrregular, PageSet{}, nil)
	}
	if r.Unread.Count > 0 || r.Unsearched {
		l.found = append(l.found, Finding{Check: CheckRead, Severity: SeverityUnchecked, Pages: r.Unread})
	}
	if r.Scanned.Count > 0 {
		l.add(CheckScanned, r.Scanned, nil)
	}
	if !r.Tagged {
		l.add(CheckTags, PageSet{}, nil)
	}
	if !r.Language {
		l.add(CheckLanguage, PageSet{}, nil)
	}
}

// Worst returns the gravest severity among findings. Unchecked is graver than a tip, since such a file cannot be
// called ready. Empty when there are none.
func Worst(findings []Finding) Severity {
	order := []Severity{SeverityStop, SeverityWarning, SeverityUnchecked, SeverityTip}
	worst := math.MaxInt
	for _, f := range findings {
		if i := slices.Index(order, f.Severity); i >= 0 {
			worst = min(worst, i)
		}
	}
	if worst == math.MaxInt {
		return ""
	}
	return order[worst]
}
