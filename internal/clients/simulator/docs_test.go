package simulator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"utsending/internal/clients/simulator"
)

// TestDocumentedEndings: the tables of docs/simulator.md are the simulator's own, row by row.
func TestDocumentedEndings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "simulator.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile("(?m)^\\| (?:…?\\d+|`\\[.+\\]`) \\| .+ \\|$").FindAllString(string(text), -1)
	var want []string
	for _, e := range simulator.Endings() {
		want = append(want, fmt.Sprintf("| %s | %s |", e.Digits, e.Meaning))
	}
	for _, e := range simulator.LookupEndings() {
		want = append(want, fmt.Sprintf("| …%s | %s |", e.Digits, e.Meaning))
	}
	for _, w := range simulator.Words() {
		want = append(want, fmt.Sprintf("| `%s` | %s |", w.Digits, w.Meaning))
	}
	for _, row := range want {
		if !slices.Contains(got, row) {
			t.Errorf("docs/simulator.md lacks the row %s", row)
		}
	}
	for _, row := range got {
		if !slices.Contains(want, row) {
			t.Errorf("docs/simulator.md has a row that the simulator does not know: %s", row)
		}
	}
}
