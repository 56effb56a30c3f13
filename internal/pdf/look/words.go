package look

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"utsending/internal/dispatch"
)

// upper is how far down the page words are told of, in millimetres: no window is further down.
const upper = 160

// words puts characters together to words, line by line.
func words(glyphs []glyph) []dispatch.Word {
	glyphs = slices.DeleteFunc(slices.Clone(glyphs), func(g glyph) bool { return g.y > upper || g.y < -5 || g.size <= 0 })
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(a.y, b.y) })
	var all []dispatch.Word
	for line := 0; len(glyphs) > 0 && len(all) < dispatch.MaxWords; line++ {
		n := 1
		for n < len(glyphs) && glyphs[n].y-glyphs[0].y < max(glyphs[0].size, glyphs[n].size)*0.4 {
			n++
		}
		all = append(all, lineWords(glyphs[:n], line)...)
		glyphs = glyphs[n:]
	}
	return all[:min(len(all), dispatch.MaxWords)]
}

// lineWords splits a line where there is a blank or a gap. A character that is there twice, for boldness or shadow, is
// taken once.
func lineWords(line []glyph, number int) []dispatch.Word {
	slices.SortStableFunc(line, func(a, b glyph) int { return cmp.Compare(a.x, b.x) })
	var all []dispatch.Word
	word := dispatch.Word{Line: number}
	end, last := math.Inf(-1), glyph{x: math.Inf(-1)}
	finish := func() {
		if word.Text = clean(word.Text); word.Text != "" {
			word.Width = end - word.X
			all = append(all, rounded(word))
		}
		word = dispatch.Word{Line: number}
	}
	for _, g := range line {
		if g.text == last.text && g.x-last.x < 0.15*g.size {
			continue
		}
		if strings.TrimSpace(g.text) == "" || g.x-end > 0.2*g.size {
			finish()
		}
		if strings.TrimSpace(g.text) != "" {
			if word.Text == "" {
				word.X, word.Y, word.Height = g.x, g.y-0.8*g.size, g.size
			}
			word.Text += g.text
		}
		end, last = g.x+g.w, g
	}
	finish()
	return all
}

// clean keeps what may be shown.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || r == '\u00ad' || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > dispatch.MaxWordLength {
		return string(runes[:dispatch.MaxWordLength])
	}
	return s
}

func rounded(w dispatch.Word) dispatch.Word {
	for _, n := range []*float64{&w.X, &w.Y, &w.Width, &w.Height} {
		*n = math.Round(*n*10) / 10
	}
	return w
}
