package simulator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
)

func TestReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range simulator.Endings() {
		if row := fmt.Sprintf("| %s | %s |", e.Digits, e.Meaning); !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks the row %s", row)
		}
	}
	for _, e := range simulator.LookupEndings() {
		if row := fmt.Sprintf("| …%s | %s |", e.Digits, e.Meaning); !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks the row %s", row)
		}
	}
	for _, w := range simulator.Words() {
		if row := fmt.Sprintf("| `%s` | %s |", w.Digits, w.Meaning); !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks the row %s", row)
		}
	}
}
