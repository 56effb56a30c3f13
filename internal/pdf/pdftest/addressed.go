package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// File is a PDF built from pages. By default it is one that printers and screen readers accept: tagged, with a
// language, version 1.7.
type File struct {
	Version string // default 1.7
	Catalog string // more entries of the catalogue
	Untold  bool   // neither tagged nor with a language
	Pages   []Page
	Objects []string // more objects; the first has the number FirstObject
}

// FirstObject is the number of the first of a File's own objects.
const FirstObject = 5

// Page is a page of a File.
type Page struct {
	Content    string
	Box        string // default A4
	Font       string // the font /F; default Helvetica
	Fonts      string // more fonts of the resources
	Objects    string // XObjects of the resources
	Entries    string // more entries of the page
	Properties string // properties of the resources, which name layers
}

// Bytes writes the file.
func (f File) Bytes() []byte {
	catalog := "/Type /Catalog /Pages 2 0 R " + f.Catalog
	if !f.Untold {
		catalog += " /MarkInfo << /Marked true >> /StructTreeRoot 3 0 R /Lang (nb-NO)"
	}
	objects := append([]string{"<< " + catalog + " >>", "", "<< /Type /StructTreeRoot >>", Helvetica}, f.Objects...)
	kids := make([]string, len(f.Pages))
	for i, p := range f.Pages {
		kids[i] = fmt.Sprintf("%d 0 R", len(objects)+1)
		objects = append(objects, p.object(len(objects)+2), Stream("", p.Content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " "))
	file := Build(objects...)
	if f.Version != "" {
		file = bytes.Replace(file, []byte("%PDF-1.7"), []byte("%PDF-"+f.Version), 1)
	}
	return file
}

func (p Page) object(content int) string {
	box, font := p.Box, p.Font
	if box == "" {
		box = A4
	}
	if font == "" {
		font = "4 0 R"
	}
	return fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R %s /Resources << /Font << /F %s %s >> /XObject << %s >> /Properties << %s >> >> %s >>",
		content, box, font, p.Fonts, p.Objects, p.Properties, p.Entries)
}

// Helvetica is a font that need not be embedded.
const Helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

// Addressed returns a File of one page: the lines in the address window, and some text below.
func Addressed(lines ...string) File {
	return File{Pages: []Page{{Content: Address(lines...) + Text(25, 110, "Vedtak om redusert foreldrebetaling")}}}
}

// Address writes lines in the address window.
func Address(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(Text(25, 50+6*float64(i), line))
	}
	return b.String()
}

// Text writes a line, in millimetres from the left and upper edges of an A4 page.
func Text(x, y float64, line string) string {
	return fmt.Sprintf("BT /F 11 Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj ET\n", x*72/25.4, 841.89-y*72/25.4, latin(line))
}

// latin encodes a text in the fonts' encoding, which equals Latin-1 here.
func latin(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 && !strings.ContainsRune(`()\`, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\%03o`, r)
		}
	}
	return b.String()
}

// Box paints a black rectangle, in millimetres from the left and upper edges of an A4 page.
func Box(x, y, width, height float64) string {
	const points = 72 / 25.4
	return fmt.Sprintf("0 g %.2f %.2f %.2f %.2f re f\n", x*points, 841.89-(y+height)*points, width*points, height*points)
}

// Picture is the XObject of a grey picture of one pixel.
var Picture = Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x80")

// WholePage paints the picture /P over a whole A4 page.
const WholePage = "q 595.276 0 0 841.89 0 0 cm /P Do Q\n"
