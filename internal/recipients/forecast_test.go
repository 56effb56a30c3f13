package recipients

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

// TestForecastIsWhatIsSent: the forecast of a text's segments equals the sum over the rows' texts.
func TestForecastIsWhatIsSent(t *testing.T) {
	t.Parallel()
	names := []string{"navn", "sted", "beløp"}
	rows := [][]string{{"Ola", "Skolen", "5 €"}, {"Đorđe", "Skolen", "7 kr"}, {"", "Skolen", "7 kr"}, {"Ida", strings.Repeat("langt ", 300), "1"},
		{"Kari", strings.Repeat("€", 140), "9"}, {"Per", "a\nb", "😀😀"}, {"Bo", strings.Repeat("x", 153), "["}}
	for _, text := range []string{"Hei ((navn))!", "((Navn)) møter ved ((sted)) – ta med ((beløp)).", "((beløp))((sted))((beløp)) [ok] ((navn))", strings.Repeat("y", 150) + "((beløp))((sted))"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			tm, l := ParseTemplate(text), NewLengths(names)
			want, longest := dispatch.Forecast{}, 0
			for i, fields := range rows {
				l.Add(i+1, Values(names, fields))
				own, missing := tm.Fill(Values(names, fields))
				if len(missing) > 0 || tm.check(own) != nil {
					want.Unfit++
					continue
				}
				want.Add(1, tm.Segments(own))
				if len(dispatch.Segment(own).Costly) > 0 {
					want.Costly++
				}
				longest = max(longest, tm.Segments(own))
			}
			got := tm.Forecast(l)
			if own, _ := tm.Fill(Values(names, rows[max(got.Longest, 1)-1])); tm.Segments(own) != longest {
				t.Errorf("row %d is the longest with %d parts, want %d", got.Longest, tm.Segments(own), longest)
			}
			got.Longest = 0
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("forecast (-want +got):\n%s", diff)
			}
		})
	}
}

// BenchmarkForecast is a text with three fields to fifty thousand, as it is counted after each pause in typing.
func BenchmarkForecast(b *testing.B) {
	names := []string{"navn", "dato", "sted"}
	l := NewLengths(names)
	for i := range 50_000 {
		l.Add(i+1, Values(names, []string{fmt.Sprint("Ola ", i), "12. januar", strings.Repeat("Storgata ", 1+i%30)}))
	}
	tm := ParseTemplate("Hei ((navn)). Du har time ((dato)) ved ((sted)). Hilsen Testvik kommune")
	for b.Loop() {
		tm.Forecast(l)
	}
}
