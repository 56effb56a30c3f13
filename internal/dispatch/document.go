package dispatch

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of documents (Shipment spec, Limits and Dokument). Sizes are in bytes.
const (
	FileNameMax     = 226
	PrintSizeMax    = 350_000_000
	FileNameInvalid = `"<>?*|:/\` // characters that a file name must not have
)

// MaxDocuments is how many files a shipment may have. Assumption: the specification has no limit; ours keeps the page
// and the submission of a size that people can check.
const MaxDocuments = 100

// MimePDF is the only type that can be printed.
const MimePDF = "application/pdf"

// DocumentID names a document of a shipment.
type DocumentID string

// Entry is a key with a value: other data of the sender.
type Entry struct{ Key, Value string }

// DocumentProblem is what the inspection of an uploaded file found wrong.
type DocumentProblem string

// The findings; DocumentNotPDF is right for a file that is not to be printed.
const (
	DocumentFine     DocumentProblem = ""
	DocumentNotPDF   DocumentProblem = "not_pdf"
	DocumentBroken   DocumentProblem = "broken"
	DocumentPassword DocumentProblem = "password"
	DocumentTooSlow  DocumentProblem = "too_slow"
	DocumentTooLarge DocumentProblem = "too_large"
	DocumentEmpty    DocumentProblem = "empty"
	// DocumentUnchecked is a PDF that was not inspected, because the inspection was not available.
	DocumentUnchecked DocumentProblem = "unchecked"
)

// Document is one file of a shipment with the facts from its upload.
type Document struct {
	ID       DocumentID
	FileName string
	Renamed  string // original name, if it had to be corrected; empty: FileName is the original
	MimeType string
	Size     int64
	SHA256   string // of the unencrypted file, in hexadecimal
	Pages    int    // of a readable PDF
	Found    DocumentProblem
	Reading  *FileReading // of a readable PDF
	Cleaned  *Cleaning    // what was removed from the file that was uploaded; nil: nothing
	Original bool         // the file as it was uploaded is kept, and can be brought back
	Slice    int          // number of the slice of a divided file, from 1; 0: not a slice
	Own      bool         // a whole file of one row of a list, which counts as its slice

	Sign             bool
	Type             string
	GiroPages        []int // from 1, in order
	ExcludeFromPrint bool
	Sensitive        bool
	Extra            []Entry
}

// PDF tells whether the file is a PDF by its content.
func (d Document) PDF() bool { return d.MimeType == MimePDF }

// ValidateFileName returns what is wrong with a file name: empty, too long, or with characters that the service
// refuses (Shipment spec, Dokument). It runs before the upload is stored.
func ValidateFileName(field, name string) *Problem {
	switch {
	case strings.TrimSpace(name) == "" || name == "." || name == "..":
		return &Problem{Field: field, Key: "problem.file.name_empty"}
	case utf8.RuneCountInString(name) > FileNameMax, utf16Length(name) > FileNameMax, strings.ContainsAny(name, FileNameInvalid), hasControl(name), ReservedFileName(name), !utf8.ValidString(name):
		return &Problem{Field: field, Key: "problem.file.name", Args: Args{"Name": name}}
	}
	return nil
}

// ReservedFileName tells whether a name is that of the multipart part with the shipment's metadata: files are parts
// named after themselves, and two parts of one name cannot be told apart (Shipment spec, multipart).
func ReservedFileName(name string) bool { return strings.EqualFold(name, "forsendelse") }

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// isBlank tells whether nothing of a text is visible: only blanks, control characters and zero-width characters,
// which come along when a text is copied.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// SameFileName compares names as the service does, without regard to case.
func SameFileName(a, b string) bool { return strings.EqualFold(a, b) }

// MaxPagesNamed is how many page numbers one field may name. A form has room for a thousand ranges of thousands each.
const MaxPagesNamed = 10_000

// maxPage is the highest page number that is read, where the file's number of pages is not known.
const maxPage = 1_000_000

// ParsePages parses page numbers: "2", "2, 4–6". They are returned sorted, each once. Text that cannot be parsed, names too many, and
// numbers below 1 or above the last page (if known), are a problem.
func ParsePages(field, typed string, last int) ([]int, *Problem) {
	var pages []int
	for part := range strings.SplitSeq(strings.NewReplacer("–", "-", "—", "-", ";", ",").Replace(typed), ",") {
		part = withoutBlanks(part)
		if part == "" {
			continue
		}
		from, to, ok := pageRange(part)
		switch {
		case !ok || from < 1 || to < from || to > maxPage && last <= 0 || len(pages)+to-from >= MaxPagesNamed:
			return nil, &Problem{Field: field, Key: "problem.pages.unreadable"}
		case last > 0 && to > last:
			return nil, &Problem{Field: field, Key: "problem.pages.range", Args: Args{"N": last}}
		}
		for n := range to - from + 1 {
			pages = append(pages, from+n)
		}
	}
	slices.Sort(pages)
	return slices.Compact(pages), nil
}

func pageRange(part string) (from, to int, ok bool) {
	first, second, isRange := strings.Cut(part, "-")
	from, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	if !isRange {
		return from, from, true
	}
	to, err = strconv.Atoi(second)
	return from, to, err == nil
}

// PagesText formats page numbers: "2, 4–6".
func PagesText(pages []int) string {
	var b strings.Builder
	for i := 0; i < len(pages); {
		j := i
		for j+1 < len(pages) && pages[j+1] == pages[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(pages[i]))
		if j > i {
			b.WriteString("–" + strconv.Itoa(pages[j]))
		}
		i = j + 1
	}
	return b.String()
}

// Sheets counts the printed sheets of a document. A giro page is a sheet of its own with a blank back, and a single
// page is always one sheet (upstream facts, section 3).
func (d Document) Sheets(duplex bool) int {
	if d.ExcludeFromPrint {
		return 0
	}
	if !duplex {
		return d.Pages
	}
	sheets, run := 0, 0
	for page := 1; page <= d.Pages; page++ {
		if slices.Contains(d.GiroPages, page) {
			sheets, run = sheets+(run+1)/2+1, 0
		} else {
			run++
		}
	}
	return sheets + (run+1)/2
}
