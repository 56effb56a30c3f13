package views

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestZones: the drawing and its words say the account's measures, and nothing of a window that lies behind the cover sheet.
func TestZones(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, sheet := range []bool{true, false} {
		rules := dispatch.DefaultPrintRules()
		rules.CoverSheet, rules.SideMargin, rules.WindowWidth = sheet, 12, 100
		var b strings.Builder
		if err := PageZones(rules).Render(ctx, &b); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		for words, want := range map[string]bool{
			"12 mm på langsidene": true, `<rect class="zone-barcode" x="0" y="95" width="15" height="80">`: true, `aria-hidden="true"`: true,
			`<rect class="zone-window" x="0" y="0" width="100" height="89">`: !sheet, "100 mm bredt": !sheet, "adresseark foran": sheet,
		} {
			if strings.Contains(got, words) != want {
				t.Errorf("cover sheet %t: %q is there: %t", sheet, words, !want)
			}
		}
	}
}
