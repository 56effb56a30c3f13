package dispatch

import (
	"errors"
	"math"
	"slices"
	"unicode/utf8"
)

// FileReading holds the facts read from a PDF, before any rule judges them: a change of the recipient or of the
// account's rules needs no new reading. Lengths are in millimetres, from the upper left corner of the page as seen.
type FileReading struct {
	Version    string      `json:"version,omitempty"`    // of PDF: "1.7"
	Restricted bool        `json:"restricted,omitempty"` // encrypted, though it opens without a password
	Irregular  bool        `json:"irregular,omitempty"`  // violates the format in a way that a strict reader rejects
	Tagged     bool        `json:"tagged,omitempty"`     // tagged for screen readers
	Language   bool        `json:"language,omitempty"`   // its language is set
	Sizes      []PageSize  `json:"sizes,omitempty"`
	Fonts      []FontUse   `json:"fonts,omitempty"`      // not embedded
	Active     []Active    `json:"active,omitempty"`     // active content
	Scanned    PageSet     `json:"scanned,omitzero"`     // scanned pages, without text
	Unread     PageSet     `json:"unread,omitzero"`      // pages whose content was not read
	Text       bool        `json:"text,omitempty"`       // the first page holds readable text
	Words      []Word      `json:"words,omitempty"`      // of the upper half of the first page, by lines
	Wordless   []InkArea   `json:"wordless,omitempty"`   // ink in the upper half of the first page outside all words
	Unsearched bool        `json:"unsearched,omitempty"` // active content and fonts could not be searched for
	Ink        []InkBounds `json:"ink,omitempty"`        // of each drawn page, in order; none: nothing could draw
	Later      []PageWords `json:"later,omitempty"`      // of a slice: possible addresses on pages after the first
	LaterRead  bool        `json:"later_read,omitempty"`
}

// PageWords are words of a page after the first: lines that may hold a postal code, and the lines below them.
type PageWords struct {
	Page  int    `json:"page"`
	Words []Word `json:"words"`
}

// PageSize is a page size with the pages that have it.
type PageSize struct {
	Width  float64 `json:"w"`
	Height float64 `json:"h"`
	First  int     `json:"first"` // the first page with this size, from 1
	Pages  int     `json:"pages"` // how many pages have it
}

// FontUse is a font that is not embedded, with the first page that uses it.
type FontUse struct {
	Name string `json:"name"`
	Page int    `json:"page"`
}

// ActiveKind is a kind of content that acts when a file is opened, or hides more than can be seen.
type ActiveKind string

// The kinds of active content.
const (
	ActiveScript    ActiveKind = "script"    // JavaScript
	ActiveLaunch    ActiveKind = "launch"    // starts a program or opens another file
	ActiveFile      ActiveKind = "file"      // a file inside the file
	ActiveForm      ActiveKind = "form"      // fields to fill in
	ActiveXFA       ActiveKind = "xfa"       // a form whose pages are made by a program
	ActiveMedia     ActiveKind = "media"     // sound, film, three dimensions
	ActivePortfolio ActiveKind = "portfolio" // the shipment is a file inside, and the page a cover
	ActiveSigned    ActiveKind = "signed"    // has a digital signature
	ActiveComment   ActiveKind = "comment"   // comments and other marks laid upon a page
	ActiveAuthor    ActiveKind = "author"    // the author's name
)

// Active is active content, with the first page that has it; 0 is the document itself.
type Active struct {
	Kind ActiveKind `json:"kind"`
	Page int        `json:"page"`
}

// PageSet counts pages and lists the first of them.
type PageSet struct {
	Count int   `json:"n"`
	First []int `json:"first"`
}

// maxNamed is how many pages a PageSet lists.
const maxNamed = 20

// Add adds a page to the set.
func (p *PageSet) Add(page int) {
	p.Count++
	if len(p.First) < maxNamed {
		p.First = append(p.First, page)
	}
}

// Word is a word of the first page with its bounding box.
type Word struct {
	Text   string  `json:"t"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"w"`
	Height float64 `json:"h"`
	Line   int     `json:"l"` // equal for words of one line
}

// InkArea is an area of ink outside all words.
type InkArea struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"w"`
	Height float64 `json:"h"`
	Text   bool    `json:"t,omitempty"` // it is text in a font without character codes
}

// InkBounds are the distances of a page's outermost ink from the edges, in tenths of a millimetre: left, top, right,
// bottom; the fifth is the distance from the left edge between BarcodeTop and BarcodeBottom. A page without ink has
// NoInk everywhere.
type InkBounds [5]int

// NoInk is a distance beyond any page.
const NoInk = 99999

// Possible tells whether the bounds are those of a page.
func (b InkBounds) Possible() bool { return slices.Min(b[:]) >= -NoInk && slices.Max(b[:]) <= NoInk }

// The zone at the left edge where printers put their barcode (product facts: Norwegian print rules).
const (
	BarcodeTop    = 95
	BarcodeBottom = 175
)

// Limits of a reading that the child process may return.
const (
	MaxWords      = 500
	MaxWordLength = 100
	MaxFonts      = 30
	MaxPageSizes  = 50
	MaxInkPages   = 500
	MaxInkAreas   = 200
	MaxLaterPages = 200
	MaxLaterWords = 60 // of one page
)

// Check returns an error unless the reading is plausible for a file of so many pages. It comes from a process that
// has parsed the untrusted file.
func (r FileReading) Check(pages int) error {
	page := func(n int) bool { return n >= 0 && n <= pages }
	badSet := func(s PageSet) bool {
		return s.Count < 0 || s.Count > pages || len(s.First) > min(s.Count, maxNamed) || slices.ContainsFunc(s.First, func(n int) bool { return !page(n) })
	}
	switch {
	case len(r.Version) > 10, !readable(r.Version), badSet(r.Scanned), badSet(r.Unread):
		return errors.New("reading: impossible version or pages")
	case len(r.Sizes) == 0, len(r.Sizes) > MaxPageSizes, slices.ContainsFunc(r.Sizes, func(s PageSize) bool { return !s.possible(pages) }):
		return errors.New("reading: impossible sizes")
	case len(r.Fonts) > MaxFonts, slices.ContainsFunc(r.Fonts, func(f FontUse) bool { return !page(f.Page) || !readable(f.Name) }):
		return errors.New("reading: impossible fonts")
	case len(r.Active) > 10, slices.ContainsFunc(r.Active, func(a Active) bool { return !page(a.Page) || !a.Kind.known() }):
		return errors.New("reading: impossible active content")
	case len(r.Words) > MaxWords, slices.ContainsFunc(r.Words, func(w Word) bool { return !w.possible() }):
		return errors.New("reading: impossible words")
	case len(r.Later) > MaxLaterPages, slices.ContainsFunc(r.Later, func(p PageWords) bool { return !p.possible(pages) }):
		return errors.New("reading: impossible words of later pages")
	case len(r.Wordless) > MaxInkAreas, slices.ContainsFunc(r.Wordless, func(a InkArea) bool { return !possible(a.X, a.Y, a.Width, a.Height) }):
		return errors.New("reading: impossible areas of ink")
	case len(r.Ink) > min(pages, MaxInkPages), slices.ContainsFunc(r.Ink, func(b InkBounds) bool { return !b.Possible() }):
		return errors.New("reading: more pages drawn than there are")
	}
	return nil
}

func (s PageSize) possible(pages int) bool {
	return s.Width > 0 && s.Height > 0 && possible(s.Width, s.Height) && s.First > 0 && s.First <= pages && s.Pages > 0 && s.Pages <= pages
}

func (p PageWords) possible(pages int) bool {
	return p.Page > 1 && p.Page <= pages && len(p.Words) <= MaxLaterWords && !slices.ContainsFunc(p.Words, func(w Word) bool { return !w.possible() })
}

func (k ActiveKind) known() bool {
	return slices.Contains([]ActiveKind{ActiveScript, ActiveLaunch, ActiveFile, ActiveForm, ActiveXFA, ActiveMedia, ActivePortfolio, ActiveSigned, ActiveComment, ActiveAuthor}, k)
}

func (w Word) possible() bool { return possible(w.X, w.Y, w.Width, w.Height) && readable(w.Text) }

// possible tells whether numbers are plausible lengths on a page.
func possible(lengths ...float64) bool {
	return !slices.ContainsFunc(lengths, func(n float64) bool { return math.IsNaN(n) || math.Abs(n) > 1e6 })
}

// readable tells whether a text may be shown to people.
func readable(text string) bool {
	return len(text) <= 4*MaxWordLength && utf8.ValidString(text) && !hasControl(text)
}
