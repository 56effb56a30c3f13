package dispatch

import "testing"

func TestBestHour(t *testing.T) {
	for _, c := range []struct {
		says        string
		hours       map[int]Bands
		hour, share int
	}{
		{"of nothing", nil, -1, 0},
		{"of too few", map[int]Bands{8: {19}}, -1, 0},
		{"the one with enough", map[int]Bands{8: {19}, 23: {0, 5, 15}}, 23, 25},
		{"the largest share within four hours", map[int]Bands{8: {10, 10, 20}, 9: {0, 30, 10}, 15: {0, 0, 500}}, 9, 75},
		{"the first of two alike", map[int]Bands{0: {20}, 12: {40}}, 0, 100},
		{"all slow", map[int]Bands{7: {0, 0, 0, 0, 0, 20}}, 7, 0},
	} {
		t.Run(c.says, func(t *testing.T) {
			var h Hours
			for i, b := range c.hours {
				h[i] = b
			}
			if hour, share := h.Best(); hour != c.hour || share != c.share {
				t.Errorf("got %d with %d %%, want %d with %d %%", hour, share, c.hour, c.share)
			}
		})
	}
}
