package pdftest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Compact returns a PDF of empty A4 pages as most programs write them: with object streams, and a cross-reference
// stream.
func Compact(pages int) []byte {
	var f compact
	f.begin(pages, 4)
	var numbers, objects strings.Builder
	for i := range pages {
		fmt.Fprintf(&numbers, "%d %d ", 4+i, objects.Len())
		fmt.Fprintf(&objects, "<< /Type /Page /Parent 2 0 R %s >>\n", A4)
	}
	entries := fmt.Sprintf("/Type /ObjStm /N %d /First %d /Filter /FlateDecode", pages, numbers.Len())
	f.add(Stream(entries, deflated(numbers.String()+objects.String())))
	for i := range pages {
		f.inside(3, i)
	}
	return f.end()
}

// compact is a file with a cross-reference stream, which object streams need.
type compact struct {
	b     bytes.Buffer
	table []byte
	size  int // rows in the table
}

// begin writes the catalogue and a page tree, objects 1 and 2. Pages are numbered from first.
func (f *compact) begin(pages, first int) {
	f.b.WriteString("%PDF-1.7\n")
	f.row(0, 0, 65535)
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", first+i)
	}
	f.add("<< /Type /Catalog /Pages 2 0 R >>")
	f.add(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", pages, kids.String()))
}

// add writes the next object.
func (f *compact) add(object string) {
	f.row(1, f.b.Len(), 0)
	fmt.Fprintf(&f.b, "%d 0 obj\n%s\nendobj\n", f.size-1, object)
}

// inside notes that the next object is in an object stream.
func (f *compact) inside(stream, index int) {
	f.row(2, stream, index)
}

func (f *compact) row(kind byte, where, more int) {
	f.size++
	f.table = append(f.table, kind)
	f.table = binary.BigEndian.AppendUint32(f.table, uint32(where))
	f.table = binary.BigEndian.AppendUint16(f.table, uint16(more))
}

func (f *compact) end() []byte {
	at := f.b.Len()
	f.row(1, at, 0)
	entries := fmt.Sprintf("/Type /XRef /Size %d /Root 1 0 R /W [1 4 2]", f.size)
	fmt.Fprintf(&f.b, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", f.size-1, Stream(entries, string(f.table)), at)
	return f.b.Bytes()
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := io.WriteString(w, s)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // a buffer never fails
	}
	return b.String()
}
