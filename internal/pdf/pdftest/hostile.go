package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Truncated returns the first half of a PDF of ten pages.
func Truncated() []byte {
	file := Make(10)
	return file[:len(file)/2]
}

// Looping returns a small PDF of one page with an open action followed by two actions, each followed by two, and so
// on: following all of them, as pdfcpu 0.15 does, never ends.
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

// Circular returns a PDF whose page tree contains itself, and whose cross-reference table has itself as its previous
// one.
func Circular() []byte {
	file := Build(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Count 2 /Kids [3 0 R 2 0 R] >>",
		"<< /Type /Page /Parent 2 0 R "+A4+" >>")
	table := bytes.LastIndex(file, []byte("xref\n0"))
	return bytes.Replace(file, []byte("/Root"), fmt.Appendf(nil, "/Prev %d /Root", table), 1)
}

// Bomb returns a PDF of some kilobytes that inflates to gigabytes. Each page is in its own stream, whose size alone
// is below any sensible limit.
func Bomb() []byte {
	const (
		pages    = 96
		inflated = 32 << 20
	)
	var f compact
	f.begin(pages, 3+pages)
	// The streams are identical, so only the first has the right object number; parsers use the table.
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

// Nesting returns a small PDF of one page with a picture made of two, each made of two, and so on: drawing it never
// ends.
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

// Tedious returns a small PDF of one page that is painted over so many times that drawing takes too long.
func Tedious() []byte {
	const times = 100_000
	shading := "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 900] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1.5 >> >>"
	f := File{Pages: []Page{{Content: "%CONTENT%", Objects: ">> /Shading << /S " + shading}}}
	return Rebuilt(f.Bytes(), Stream("", "%CONTENT%"), Stream("/Filter /FlateDecode", deflated(strings.Repeat("/S sh\n", times))))
}

// Swelling returns a small PDF of one page whose content inflates to a gigabyte.
func Swelling() []byte {
	const inflated = 1 << 30
	f := File{Pages: []Page{{Content: "%CONTENT%"}}}
	swollen := deflated(deflated(strings.Repeat("0 0 9 9 re f    ", inflated/16)))
	plain := Stream("", "%CONTENT%")
	return Rebuilt(f.Bytes(), plain, Stream("/Filter [/FlateDecode /FlateDecode]", swollen))
}

// Giant returns a small PDF of one page with a picture of ten billion pixels.
func Giant() []byte {
	picture := Stream("/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode", deflated(strings.Repeat("\x80", 1<<20)))
	return File{Pages: []Page{{Content: WholePage, Objects: fmt.Sprintf("/P %d 0 R", FirstObject)}}, Objects: []string{picture}}.Bytes()
}

// Rebuilt replaces a piece of a file behind which there are no objects.
func Rebuilt(file []byte, old, changed string) []byte {
	table := bytes.LastIndex(file, []byte("xref\n0"))
	file = bytes.Replace(file, []byte(old), []byte(changed), 1)
	return bytes.Replace(file, fmt.Appendf(nil, "startxref\n%d", table), fmt.Appendf(nil, "startxref\n%d", table+len(changed)-len(old)), 1)
}
