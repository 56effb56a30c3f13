package frame_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/text"
)

// FuzzFileName: the name of an uploaded file is one that the service takes or is refused in words, is no path, and keeps its name when
// it is sent again. Whoever sent another is shown it with nothing hidden.
func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"", "brev.pdf", `C:\a\b.pdf`, "../../etc/passwd", "a\u202efdp.exe", "forsendelse", "FORSENDELSE\u200b", " .pdf ", "..", "/", "a\r\nb", `a"b:c*d?.pdf`, "\xff", "e\u0301.pdf", "👩\u200d🚒.pdf", strings.Repeat("a", 300), "\u200e\u0301a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		name, renamed := frame.FileName(sent)
		if !text.Clean(name) || strings.ContainsAny(name, "/\\\r\n\t") || strings.ContainsFunc(name, text.Bidi) || strings.TrimSpace(name) != name || dispatch.ReservedFileName(name) {
			t.Fatalf("%q is stored as %q", sent, name)
		}
		if !utf8.ValidString(renamed) || utf8.RuneCountInString(renamed) > 2*dispatch.FileNameMax || strings.ContainsFunc(renamed, func(r rune) bool { return text.Bidi(r) || unicode.IsControl(r) }) {
			t.Fatalf("%q is shown as %q", sent, renamed)
		}
		if again, changed := frame.FileName(name); dispatch.ValidateFileName("f", name) == nil && (again != name || changed != "") {
			t.Fatalf("%q is stored as %q, then as %q (%q)", sent, name, again, changed)
		}
	})
}

// FuzzGate: a form behind the gate holds clean texts under clean names, and passes again unchanged.
func FuzzGate(f *testing.F) {
	for _, seed := range []string{"", "Hei", "a\u202eb", "\x00", "\xff", "e\u0301", "a\r\nb", strings.Repeat("æ", 2100)} {
		f.Add("navn", seed)
		f.Add("tekst", seed)
		f.Add(seed, "x")
		f.Add(dispatch.FieldClientID, "ok")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		form := url.Values{name: {value}}
		frame.Normalize(form)
		for field, list := range form {
			if !text.Clean(field) {
				t.Fatalf("the name %q", field)
			}
			secret := list[0] == value && !text.Clean(value)
			if !secret && (!text.Clean(list[0]) || text.Typed(list[0]) != list[0]) {
				t.Fatalf("%q became %q", value, list[0])
			}
			was := list[0]
			if frame.Normalize(form); form[field][0] != was {
				t.Fatalf("%q became %q, then %q", value, was, form[field][0])
			}
		}
	})
}
