package dispatch

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The form fields of the municipality's theme.
const (
	FieldThemeName  = "kommune"
	FieldThemeLight = "lys"
	FieldThemeDark  = "mork"
	FieldThemeLogo  = "logo"
)

// Theme is how a municipality makes the pages its own. Empty values mean ours.
type Theme struct {
	Name        string // of the municipality; empty: the configured one
	Light, Dark Color  // of buttons, links and what is chosen, on light pages and on dark ones
}

// LongestThemeName is the most characters of a name that the header has room for.
const LongestThemeName = 40

// ParseTheme reads the form. A dark colour that is left out is made of the light one.
func ParseTheme(name, light, dark string) (Theme, Problems) {
	var ps Problems
	t := Theme{Name: strings.TrimSpace(name)}
	if utf8.RuneCountInString(t.Name) > LongestThemeName {
		ps = append(ps, Problem{Field: FieldThemeName, Key: "problem.theme.name", Args: Args{"Most": LongestThemeName}})
	}
	t.Light = themeColor(FieldThemeLight, light, "problem.theme.light", lightGround, &ps)
	t.Dark = themeColor(FieldThemeDark, dark, "problem.theme.dark", darkGround, &ps)
	if t.Light == "" && t.Dark != "" {
		ps.add(&Problem{Field: FieldThemeLight, Key: "problem.theme.first"})
	}
	if t.Light != "" && t.Dark == "" {
		t.Dark = t.Light.lightened()
	}
	return t, ps
}

// themeColor reads one colour, which must be readable on a ground.
func themeColor(field, typed, unreadable string, g ground, ps *Problems) Color {
	if strings.TrimSpace(typed) == "" {
		return ""
	}
	c, ok := ParseColor(typed)
	switch {
	case !ok:
		ps.add(&Problem{Field: field, Key: "problem.theme.color"})
	case !g.carries(c):
		ps.add(&Problem{Field: field, Key: unreadable})
	}
	return c
}

// Color is a colour as #rrggbb in small letters; empty: none.
type Color string

// ParseColor reads a colour of six hexadecimal digits, with or without the number sign.
func ParseColor(typed string) (Color, bool) {
	digits := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	if _, err := strconv.ParseUint(digits, 16, 32); err != nil || len(digits) != 6 {
		return "", false
	}
	return Color("#" + digits), true
}

// The colours at the ends.
const (
	white Color = "#ffffff"
	black Color = "#000000"
)

// LeastContrast is what WCAG asks of text (1.4.3).
const LeastContrast = 4.5

// ground is what a colour stands on as text, what is written on it, and what its tint is mixed with.
type ground struct {
	under []Color // pages and panels (tokens.css)
	on    Color   // text of buttons
	tint  Color
	part  float64 // of the colour in its tint
}

var (
	lightGround = ground{[]Color{"#ffffff", "#f3f4f4"}, white, white, .12}
	darkGround  = ground{[]Color{"#20292f", "#192025"}, black, "#0d1419", .22}
)

// carries tells whether a colour can be read there: as text, under text, and as text on its own tint.
func (g ground) carries(c Color) bool {
	for _, under := range append([]Color{g.on, g.tint.Mixed(c, g.part)}, g.under...) {
		if c.Contrast(under) < LeastContrast {
			return false
		}
	}
	return true
}

// lightened is a colour made so much lighter that it can be read in the dark.
func (c Color) lightened() Color {
	for part := 0.0; part < 1; part += .05 {
		if lighter := c.Mixed(white, part); darkGround.carries(lighter) {
			return lighter
		}
	}
	return white
}

// Mixed is the colour with a part of another, from 0 to 1.
func (c Color) Mixed(other Color, part float64) Color {
	a, b := c.channels(), other.channels()
	var mixed [3]int
	for i := range a {
		mixed[i] = int(math.Round(a[i]*(1-part) + b[i]*part))
	}
	return Color(fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2]))
}

// Contrast is the contrast ratio of two colours, from 1 to 21.
func (c Color) Contrast(other Color) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + .05) / (min(a, b) + .05)
}

// luminance is WCAG's relative luminance.
func (c Color) luminance() float64 {
	var linear [3]float64
	for i, v := range c.channels() {
		v /= 255
		linear[i] = math.Pow((v+.055)/1.055, 2.4)
		if v <= .04045 {
			linear[i] = v / 12.92
		}
	}
	return .2126*linear[0] + .7152*linear[1] + .0722*linear[2]
}

// channels are red, green and blue, from 0 to 255.
func (c Color) channels() (list [3]float64) {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(c), "#"), 16, 32)
	if err != nil {
		return list
	}
	return [3]float64{float64(n >> 16 & 255), float64(n >> 8 & 255), float64(n & 255)}
}

// Sheet is the style sheet of the theme's colours, in the layer that app.css has for it; empty without colours. The colours were
// parsed, so nothing else can stand in it.
func (t Theme) Sheet() string {
	if t.Light == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("@layer theme {\n  :root, [data-color-scheme] {\n")
	pair := func(token string, light, dark Color) {
		fmt.Fprintf(&b, "    --ds-color-accent-%s: light-dark(%s, %s);\n", token, light, dark)
	}
	l, d, night := t.Light, t.Dark, darkGround.tint
	pair("base-default", l, d)
	pair("base-hover", l.Mixed(black, .2), d.Mixed(white, .25))
	pair("base-active", l.Mixed(black, .4), d.Mixed(white, .45))
	pair("base-contrast-default", white, black)
	pair("base-contrast-subtle", l.Mixed(white, .93), d.Mixed(black, .93))
	pair("text-subtle", l, d)
	pair("text-default", l.Mixed(black, .5), d.Mixed(white, .8))
	pair("border-strong", l, d)
	pair("border-default", l.Mixed(white, .2), d.Mixed(night, .2))
	pair("border-subtle", l.Mixed(white, .6), d.Mixed(night, .6))
	pair("surface-default", white, night.Mixed(d, .1))
	pair("background-tinted", l.Mixed(white, .94), night.Mixed(d, .08))
	pair("surface-tinted", white.Mixed(l, lightGround.part), night.Mixed(d, darkGround.part))
	pair("surface-hover", l.Mixed(white, .8), night.Mixed(d, .3))
	pair("surface-active", l.Mixed(white, .7), night.Mixed(d, .38))
	b.WriteString("  }\n}\n")
	return b.String()
}
