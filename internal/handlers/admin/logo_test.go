package admin

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// TestLightLogo: a logo is served small, in pixels and bytes; one that cannot be is refused.
func TestLightLogo(t *testing.T) {
	t.Parallel()
	noise := func(width, height int) image.Image {
		p, dice := image.NewNRGBA(image.Rect(5, 5, 5+width, 5+height)), rand.New(rand.NewPCG(1, 2))
		for i := range p.Pix {
			p.Pix[i] = byte(dice.Uint32())
		}
		return p
	}
	plain := func(width, height int) image.Image {
		p := image.NewNRGBA(image.Rect(0, 0, width, height))
		for i := range p.Pix {
			p.Pix[i] = 0xff
		}
		for x := range width {
			p.Set(x, height/2, color.NRGBA{0x7a, 0x1f, 0x3d, 0xff})
		}
		return p
	}
	for name, tt := range map[string]struct {
		picture       image.Image
		width, height int // 0: refused
	}{
		"a small one stays as it is":       {plain(90, 36), 90, 36},
		"a dot":                            {plain(1, 1), 1, 1},
		"a large one":                      {plain(1200, 1200), 72, 72},
		"a wide one":                       {plain(1200, 100), 288, 24},
		"a line":                           {plain(1200, 1), 288, 1},
		"a column":                         {plain(1, 1200), 1, 72},
		"one of many details":              {noise(36, 36), 36, 36},
		"a large one of many details":      {noise(600, 600), 36, 36},
		"a wide one of many details fails": {noise(1200, 300), 0, 0},
	} {
		got, err := lightLogo(tt.picture)
		if err != nil || (got == nil) != (tt.width == 0) || len(got) > logoBytes {
			t.Errorf("%s: got %d bytes, %v", name, len(got), err)
			continue
		}
		if got == nil {
			continue
		}
		shape, err := png.DecodeConfig(bytes.NewReader(got))
		if err != nil || shape.Width != tt.width || shape.Height != tt.height {
			t.Errorf("%s: got %d × %d, %v; want %d × %d", name, shape.Width, shape.Height, err, tt.width, tt.height)
		}
	}
}
