package admin

import (
	"testing"

	"utsending/internal/dispatch"
)

// TestPrice: a valid price survives being shown in its field.
func TestPrice(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{
		"": 0, "0": 0, "0,45": 45, "16.5": 1650, "10 000": 1_000_000, "0,29": 29, "1,10": 110, "8 999,99": 899_999,
		"0,395": -1, "10 000,01": -1, "-1": -1, "gratis": -1, "NaN": -1,
	} {
		a, ps := AccountForm{PriceSMS: typed}.Parse(dispatch.Account{})
		refused := ps.For(dispatch.FieldPriceSMS) != nil
		if refused != (want < 0) || !refused && a.Prices.SMS != (dispatch.Price{Ore: want, Known: typed != ""}) {
			t.Errorf("%q: got %v øre, refused %v; want %d", typed, a.Prices.SMS, refused, want)
		}
	}
}
