package dispatch

import (
	"math"
	"strings"
	"testing"
)

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b Color
		want float64
	}{{white, black, 21}, {white, white, 1}, {"#777777", white, 4.48}, {"#0b5a80", white, 7.53}, {"#ff0000", white, 4}} {
		if got := tt.a.Contrast(tt.b); math.Abs(got-tt.want) > .02 || got != tt.b.Contrast(tt.a) {
			t.Errorf("%s on %s: got %.2f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestParseTheme(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, light, dark string
		want              string // keys of the problems
	}{
		{"Fjordvik kommune", "#0B5A80", "#75a1b7", ""},
		{"", "", "", ""},
		{"Fjordvik kommune", "0b5a80", "", ""},
		{"", "#7a1f3d", " ", ""},
		{"", "#ffcc00", "", "problem.theme.light"},
		{"", "#808080", "", "problem.theme.light"},
		{"", "#0b5a80", "#0b5a80", "problem.theme.dark"},
		{"", "", "#75a1b7", "problem.theme.first"},
		{"", "blå", "", "problem.theme.color"},
		{"", "#0b5a8", "#75a1b7;} body{display:none", "problem.theme.color problem.theme.color"},
		{strings.Repeat("å", 41), "", "", "problem.theme.name"},
	} {
		theme, ps := ParseTheme(tt.name, tt.light, tt.dark)
		var keys []string
		for _, p := range ps {
			keys = append(keys, p.Key)
		}
		if got := strings.Join(keys, " "); got != tt.want {
			t.Errorf("%q %q %q: got %q, want %q", tt.name, tt.light, tt.dark, got, tt.want)
		}
		if tt.want == "" && tt.light != "" && (!lightGround.carries(theme.Light) || !darkGround.carries(theme.Dark)) {
			t.Errorf("%s and %s cannot be read", theme.Light, theme.Dark)
		}
	}
}

// TestThemesCanBeRead: whatever colour passes, all that its style sheet puts text on or makes lines of can be read.
func TestThemesCanBeRead(t *testing.T) {
	t.Parallel()
	passed := 0
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				c := Color("#" + pair(r) + pair(g) + pair(b))
				theme, ps := ParseTheme("", string(c), "")
				if len(ps) > 0 {
					continue
				}
				passed++
				for what, ratio := range map[string]float64{
					"text on a chosen place":          theme.Light.Mixed(black, .5).Contrast(white.Mixed(theme.Light, .12)),
					"text on a chosen place, dark":    theme.Dark.Mixed(white, .8).Contrast(darkGround.tint.Mixed(theme.Dark, .22)),
					"text on a pressed button":        theme.Light.Mixed(black, .4).Contrast(white),
					"text on a button, dark":          theme.Dark.Contrast(black),
					"link on a panel, dark":           theme.Dark.Contrast("#20292f"),
					"link on its own tint, dark":      theme.Dark.Contrast(darkGround.tint.Mixed(theme.Dark, .22)),
					"link on the tint of a page":      theme.Light.Contrast("#f3f4f4"),
					"icon on a chosen place":          theme.Light.Contrast(white.Mixed(theme.Light, .12)),
					"text on the tint under a cursor": theme.Light.Mixed(black, .5).Contrast(theme.Light.Mixed(white, .8)),
				} {
					if ratio < LeastContrast {
						t.Errorf("%s: %s has %.2f", c, what, ratio)
					}
				}
			}
		}
	}
	if passed < 500 {
		t.Errorf("only %d colours pass", passed)
	}
}

func pair(n int) string { return string("0123456789abcdef"[n>>4]) + string("0123456789abcdef"[n&15]) }
