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

// Nesting gives a small PDF of one page whose picture is made of two, each of which is made of two, and so on: whoever draws
// it is not done in a lifetime.
func Nesting() []byte {
	const generations = 60
	f := File{Pages: []Page{{Content: "/X Do /X Do", Objects: fmt.Sprintf("/X %d 0 R", FirstObject)}}}
	for i := range generations {
		entries := fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /XObject << /X %d 0 R >> >>", FirstObject+i+1)
		f.Objects = append(f.Objects, Stream(entries, "/X Do /X Do"))
	}
	f.Objects = append(f.Objects, Stream("/Type /XObject /Subtype /Form /BBox [0 0 600 900]", "0 0 9 9 re f"))
	return f.Bytes()
}

// Tedious gives a small PDF of one page that is painted all over so many times that nobody waits for it.
func Tedious() []byte {
	const times = 100_000
	shading := "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 900] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1.5 >> >>"
	f := File{Pages: []Page{{Content: "%CONTENT%", Objects: ">> /Shading << /S " + shading}}}
	return Rebuilt(f.Bytes(), Stream("", "%CONTENT%"), Stream("/Filter /FlateDecode", deflated(strings.Repeat("/S sh\n", times))))
}

// Swelling gives a small PDF of one page whose content inflates to a gigabyte.
func Swelling() []byte {
	const inflated = 1 << 30
	f := File{Pages: []Page{{Content: "%CONTENT%"}}}
	swollen := deflated(deflated(strings.Repeat("0 0 9 9 re f    ", inflated/16)))
	plain := Stream("", "%CONTENT%")
	return Rebuilt(f.Bytes(), plain, Stream("/Filter [/FlateDecode /FlateDecode]", swollen))
}

// Giant gives a small PDF of one page with a picture of ten thousand million pixels.
func Giant() []byte {
	picture := Stream("/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode", deflated(strings.Repeat("\x80", 1<<20)))
	return File{Pages: []Page{{Content: WholePage, Objects: fmt.Sprintf("/P %d 0 R", FirstObject)}}, Objects: []string{picture}}.Bytes()
}

// Rebuilt puts one piece of a file in the place of another, behind which there are no objects.
func Rebuilt(file []byte, old, changed string) []byte {
	table := bytes.LastIndex(file, []byte("xref\n0"))
	file = bytes.Replace(file, []byte(old), []byte(changed), 1)
	return bytes.Replace(file, fmt.Appendf(nil, "startxref\n%d", table), fmt.Appendf(nil, "startxref\n%d", table+len(changed)-len(old)), 1)
}
