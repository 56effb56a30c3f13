package pdf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"utsending/internal/dispatch"
)

// seedAnswers are lines that a child writes, and some that it should not.
func seedAnswers(f *testing.F) {
	sound := pages(2)
	sound.Reading.Version, sound.Reading.Text = "1.7", true
	sound.Reading.Words = []dispatch.Word{{Text: "Kari", X: 20, Y: 40, Width: 10, Height: 3}}
	sound.Reading.Fonts = []dispatch.FontUse{{Name: "Arial", Page: 1}}
	for _, value := range []any{
		sound, Report{Problem: ProblemPassword, NeedsPassword: true}, sliceHead{Size: 5, Report: pages(1)}, sliceHead{Last: true, Problem: ProblemUneven},
		pictureHead{Width: 2, Height: 1}, pictureHead{Last: true}, []dispatch.InkBounds{{1, 2, 3, 4, 5}}, map[string]any{"pages": 1 << 40},
	} {
		line, err := json.Marshal(value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(line, "\n12345678"...))
	}
	f.Add([]byte("confined filtered landlocked\n"))
	f.Add([]byte(`{"pages":1,"reading":{"version":"1\u0000","sizes":[{"w":1e300,"h":1,"first":1,"pages":1}],"words":[{"t":"\u202e","x":1e308}]}}` + "\n"))
	f.Add([]byte(`[[-9223372036854775808,9223372036854775807,0,0,0]]` + "\n"))
}

// FuzzAnswers: whatever a child says is either refused, or within the limits of a page, and can be stored and shown.
func FuzzAnswers(f *testing.F) {
	seedAnswers(f)
	from := func(said []byte) *bufio.Reader { return bufio.NewReaderSize(bytes.NewReader(said), maxAnswer) }
	f.Fuzz(func(t *testing.T, said []byte) {
		if report, err := receiveAnswer(from(said)); err == nil {
			checkReport(t, report)
		}
		for _, each := range []int{0, 2} {
			if head, err := receiveHead(from(said), each); err == nil && !head.Last {
				if head.Size <= 0 || head.Report.Pages < 1 || head.Report.Pages > maxSlicePages || each > 0 && head.Report.Pages != each {
					t.Fatalf("slice %+v", head)
				}
				checkReport(t, head.Report)
			}
		}
		if ink, err := receiveInk(from(said), 3); err == nil {
			for _, bounds := range ink {
				if len(ink) > 3 || slices.Min(bounds[:]) < -dispatch.NoInk || slices.Max(bounds[:]) > dispatch.NoInk {
					t.Fatalf("ink %v", ink)
				}
			}
		}
		p := &process{line: from(said)}
		if picture, err := p.picture(64); err == nil && picture != nil && (picture.Rect.Dx() > 64 || picture.Rect.Dy() > 64*highestPicture) {
			t.Fatalf("picture %v", picture.Rect)
		}
		line, _, _ := bytes.Cut(said, []byte("\n"))
		var held Confinement
		if err := held.hear(string(line) + "\n"); (err == nil) != (string(line)+"\n" == held.tell()) {
			t.Fatalf("%q is heard as %+v, %v", line, held, err)
		}
		_, _ = receiveOrder(bytes.NewReader(said))
	})
}

// checkReport requires that a report can be kept, and that nothing in it is more than a page can hold.
func checkReport(t *testing.T, r Report) {
	t.Helper()
	if (r.Problem == "") != (r.Reading != nil) || (r.Problem == "") != (r.Pages > 0) || r.First != nil {
		t.Fatalf("report %+v", r)
	}
	if r.Reading == nil {
		return
	}
	texts := []string{r.Reading.Version}
	for _, font := range r.Reading.Fonts {
		texts = append(texts, font.Name)
	}
	for _, word := range r.Reading.Words {
		texts = append(texts, word.Text)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Fatalf("text %q", text)
		}
	}
	for _, size := range r.Reading.Sizes {
		if size.Width > 1e6 || size.Height > 1e6 {
			t.Fatalf("size %+v", size)
		}
	}
	for _, ink := range r.Reading.Ink {
		if slices.Min(ink[:]) < -dispatch.NoInk || slices.Max(ink[:]) > dispatch.NoInk {
			t.Fatalf("ink %v", ink)
		}
	}
	kept, err := json.Marshal(r.Reading)
	if err != nil || bytes.Contains(kept, []byte(`\u0000`)) {
		t.Fatalf("kept as %s: %v", kept, err)
	}
}
