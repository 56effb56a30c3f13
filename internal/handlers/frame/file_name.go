package frame

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"utsending/internal/dispatch"
	"utsending/internal/text"
)

// FileName corrects the name of an uploaded file: NFC, no folder, no invisible or bidirectional control characters,
// no blanks at the ends, no characters that the service refuses, and not the reserved name of the metadata's
// multipart part. renamed is the original with invisible characters spelled out; empty if it did not change.
func FileName(sent string) (name, renamed string) {
	sent = path.Base(strings.ReplaceAll(sent, `\`, "/"))
	composed := text.Typed(sent)
	name, _ = text.Line(sent)
	name, _ = text.Line(strings.Map(fileNameRune, name)) // a letter and an accent may have come together
	name = strings.TrimFunc(name, unicode.IsSpace)
	if dispatch.ReservedFileName(name) {
		name += "-fil"
	}
	if name == composed {
		return name, "" // only normalized to NFC
	}
	return name, spelledOut(sent)
}

// fileNameRune replaces a character of a name: characters that the service refuses by a dash, invisible ones by
// nothing, except the joiners of emoji and scripts.
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

// spelledOut makes invisible and bidirectional characters of a name readable.
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
