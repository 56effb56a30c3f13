package frame

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// FileName puts the name of an uploaded file right: composed form, no folder, nothing that nobody sees or that turns the
// direction of writing, no blanks at the ends, no characters that the service refuses, and not the name of the part of the
// form that its own data go in. renamed is the name that it had, with what cannot be seen spelled out; empty when it stays.
func FileName(sent string) (name, renamed string) {
	sent = path.Base(strings.ReplaceAll(sent, `\`, "/"))
	composed := text.Typed(sent)
	name, _ = text.Line(sent)
	name = strings.TrimFunc(strings.Map(fileNameRune, name), unicode.IsSpace)
	if dispatch.ReservedFileName(name) {
		name += "-fil"
	}
	if name == composed {
		return name, "" // other codes for the same shipments are no other name
	}
	return name, spelledOut(sent)
}

// fileNameRune is what stands for a character of a name: a dash for one that the service does not take, nothing for one that
// nobody sees, but for those that hold emoji and scripts together.
func fileNameRune(r rune) rune {
	switch {
	case r == '\u200c', r == '\u200d', r == '\ufe0f':
		return r
	case strings.ContainsRune(dispatch.FileNameInvalid, r):
		return '-'
	case r == text.Unreadable, text.Invisible(r):
		return -1
	}
	return r
}

// spelledOut is a name in which what cannot be seen, or moves what stands beside it, can be read.
func spelledOut(name string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(name, string(text.Unreadable)) {
		if r == '\u2028' || r == '\u2029' || r == '\n' || r == '\r' || r == '\t' || text.Invisible(r) || text.Bidi(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
		} else {
			b.WriteRune(r)
		}
	}
	if cut := []rune(b.String()); len(cut) > 2*dispatch.FileNameMax {
		return string(cut[:2*dispatch.FileNameMax])
	}
	return b.String()
}
