package views_test

import (
	"math"
	"testing"
	"unicode/utf8"

	"utsending/internal/views"
)

// FuzzTypedNumbers: a number that is read is one, and reads back from our own text.
func FuzzTypedNumbers(f *testing.F) {
	for _, seed := range []string{"", "1 071", "1\u00a0071,5", "-1", "NaN", "inf", "1e999", "0x1p4", "1_000", "9223372036854775807", "٣", "+5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if n, err := views.TypedNumber(typed); err == nil {
			if again, err := views.TypedNumber(views.Number(n)); err != nil || again != n {
				t.Fatalf("%q is %d, then %d: %v", typed, n, again, err)
			}
		}
		if n, err := views.TypedDecimal(typed); err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
			t.Fatalf("%q is %v", typed, n)
		}
		if n := views.TypedVersion(typed); n > math.MaxInt32 || n < math.MinInt32 {
			t.Fatalf("%q is version %d", typed, n)
		}
		if short := views.Excerpt(typed, 10); utf8.RuneCountInString(short) > 10 {
			t.Fatalf("%q is cut to %q", typed, short)
		}
	})
}
