package dispatch_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utsending/internal/dispatch"
)

// marked renders changes with signs: -removed- and +added+.
func marked(changes []dispatch.Change) string {
	var b strings.Builder
	for _, c := range changes {
		sign := []string{"", "-", "+"}[c.Kind]
		b.WriteString(sign + c.Text + sign)
	}
	return b.String()
}

func TestDifference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, want string }{
		{"", "", ""},
		{"Hei", "Hei", "Hei"},
		{"", "Hei", "+Hei+"},
		{"Hei", "", "-Hei-"},
		{"Hei Ola, du", "Hei Kari, du", "Hei -Ola-+Kari+, du"},
		{"en to tre", "en tre", "en -to -tre"},
		{"a\nb", "a\n\nb", "a\n+\n+b"},
		{"Møt ((dato))", "Møt ((dag))", "Møt ((-dato-+dag+))"},
	} {
		if got := marked(dispatch.Difference(tt.before, tt.after)); got != tt.want {
			t.Errorf("%q to %q: got %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}

// TestDifferenceLosesNothing: without the additions it is the old text, without the removals the new one.
func TestDifferenceLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab æ\n\r\t(),.\u00a0é–😀")))
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		var a, b string
		for _, c := range dispatch.Difference(before, after) {
			if c.Kind != dispatch.Added {
				a += c.Text
			}
			if c.Kind != dispatch.Removed {
				b += c.Text
			}
		}
		if a != before || b != after {
			t.Fatalf("got %q and %q, want %q and %q", a, b, before, after)
		}
	})
}
