package pdftest

import (
	"fmt"
	"strings"
)

// SecretWord and SecretPicture must be in the slice of the page of that name only: a word of its text, and the pixels
// of its picture.
func SecretWord(name string) string    { return "hemmelig-" + name }
func SecretPicture(name string) string { return strings.Repeat("bilde-av-"+name+"\x00", 4) }

// Shared returns a PDF of a page for each name, as mail merge programs write them: all pages share one dictionary of
// resources, refer to each other by links, threads and the structure tree, and have objects besides that nothing
// shows. All content is compressed.
func Shared(names ...string) []byte {
	const first = 5 // object number of the first page; each page has seven objects
	at := func(i, object int) string { return fmt.Sprintf("%d 0 R", first+7*i+object) }
	var kids, resources, roots, unused strings.Builder
	for i, name := range names {
		kids.WriteString(at(i, 0) + " ")
		fmt.Fprintf(&resources, "/Form%s %s /Pic%s %s ", name, at(i, 2), name, at(i, 3))
		roots.WriteString(at(i, 4) + " ")
		fmt.Fprintf(&unused, "(%s)", SecretWord(name))
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /Lang (nb-NO) /StructTreeRoot << /Type /StructTreeRoot /K [" + roots.String() + "] >> /PieceInfo << /X << /Private [" + unused.String() + "] >> >> >>",
		fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] %s >>", len(names), kids.String(), A4),
		Helvetica, "<< /Font << /F 3 0 R >> /XObject << " + resources.String() + ">> >>",
	}
	for i, name := range names {
		next := (i + 1) % len(names)
		picture := SecretPicture(name)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources 4 0 R /Contents %s /StructParents %d /B [%s] /Metadata %s "+
				"/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [%s /Fit] >>] >>", at(i, 1), i, at(next, 5), at(next, 6), at(next, 0)),
			flate("", "/Form"+name+" Do q 90 0 0 90 400 100 cm /Pic"+name+" Do Q"),
			flate("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources 4 0 R /PieceInfo << /X << /Private "+at(next, 6)+" >> >>", "BT /F 11 Tf 72 700 Td ("+SecretWord(name)+") Tj ET"),
			flate(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", len(picture)), picture),
			fmt.Sprintf("<< /Type /StructElem /S /P /Pg %s /ActualText (%s) >>", at(i, 0), SecretWord(name)),
			fmt.Sprintf("<< /Type /Bead /P %s /N %s /V %s >>", at(i, 0), at(next, 5), at(next, 5)),
			flate("/Type /Metadata /Subtype /XML", "<dc:title>"+SecretWord(name)+"</dc:title>"))
	}
	return Build(objects...)
}

// flate returns a compressed stream.
func flate(entries, content string) string {
	return Stream(entries+" /Filter /FlateDecode", deflated(content))
}
