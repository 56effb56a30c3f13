package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Truncated gives the first half of a PDF of ten pages.
func Truncated() []byte {
	file := Make(10)
	return file[:len(file)/2]
}

// Looping gives a small PDF of one page that opens with an action which is followed by two, each followed by two, and so
// on: whoever follows them all, as pdfcpu 0.15 does, is not done in a lifetime.
func Looping() []byte {
	const generations = 60
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>",
		"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R " + A4 + " >>",
	}
	for range generations {
		next := len(objects) + 2
		objects = append(objects, fmt.Sprintf("<< /S /Named /N /NextPage /Next [%d 0 R %d 0 R] >>", next, next))
	}
	return Build(append(objects, "<< /S /Named /N /NextPage >>")...)
}

// Circular gives a PDF whose page tree contains itself, and whose table of objects is continued by itself.
func Circular() []byte {
	file := Build(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Count 2 /Kids [3 0 R 2 0 R] >>",
		"<< /Type /Page /Parent 2 0 R "+A4+" >>")
	table := bytes.LastIndex(file, []byte("xref\n0"))
	return bytes.Replace(file, []byte("/Root"), fmt.Appendf(nil, "/Prev %d /Root", table), 1)
}

// Bomb gives a PDF of some kilobytes that inflates to gigabytes: each of its pages is in a stream of its own, which stays
// below what a parser may sensibly refuse.
func Bomb() []byte {
	const (
		pages    = 96
		inflated = 32 << 20
	)
	var f compact
	f.begin(pages, 3+pages)
	// The streams are all alike, so only the first one numbers its object rightly; parsers go by the table.
	number := fmt.Sprintf("%-16s", fmt.Sprintf("%d 0", 3+pages))
	page := "<< /Type /Page /Parent 2 0 R " + A4 + " /PieceInfo (" + strings.Repeat("a", inflated) + ") >>"
	charge := Stream("/Type /ObjStm /N 1 /First 16 /Filter [/FlateDecode /FlateDecode]", deflated(deflated(number+page)))
	for range pages {
		f.add(charge)
	}
	for i := range pages {
		f.inside(3+i, 0)
	}
	return f.end()
}
