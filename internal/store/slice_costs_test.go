package store_test

import (
	"errors"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestSlicesOfUnequalLengthCostTheirOwn: the budget counts what each recipient's own slice costs, before and after the shipments are
// made, and not as many of the longest.
func TestSlicesOfUnequalLengthCostTheirOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Account.Prices = dispatch.Prices{Print: dispatch.PriceOf(1000), Sheet: 100}
	r.Account.Budget = dispatch.Budget{Limit: 3399, Rule: dispatch.BudgetStop}
	l := r.ShipmentJob(t, r.s, "alle", storetest.ShipmentRows(3))
	of := dispatch.Division{Document: l.Content.Documents[0].ID, By: dispatch.DivideByMark}
	err := items.In(r.s).Slices.Divide(t.Context(), r.Account.ID, l.Job, r.Actor, of, func(add items.AddSlice) error {
		for i, pages := range []int{1, 2, 1} {
			d := dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: pages}
			if err := add(strings.NewReader(string(rune('a'+i))), d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.Content.Documents[0].Pages = 2
	r.LookOver(t, r.s, l)
	send := func() error {
		return items.In(r.s).ShipmentJobs.Send(t.Context(), r.Account, l.Job, r.Actor, l.Shipment, true)
	}
	if err := send(); !errors.Is(err, items.ErrBudget) {
		t.Fatalf("got %v with an øre too little", err)
	}
	r.Account.Budget.Limit++
	if err := send(); err != nil {
		t.Fatalf("got %v with just enough", err)
	}
	spent := func(want int) {
		t.Helper()
		b, err := items.In(r.s).Budgets.Of(t.Context(), r.Account)
		if err != nil || b.Spent != want {
			t.Errorf("%d øre are spent, want %d, %v", b.Spent, want, err)
		}
	}
	spent(3400)
	r.made(t)
	spent(3400)
	if got := read[string](t, r, `SELECT string_agg(h.cost_print::text, ' ' ORDER BY it.job_position) FROM shipments h JOIN items it ON it.id = h.item_id WHERE it.job_id = $1`, l.Job); got != "1100 1200 1100" {
		t.Errorf("the shipments cost %s", got)
	}
}
