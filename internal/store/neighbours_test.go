package store_test

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
)

// TestManyOrdersOfOneAccount: what one account orders many of, files and acts on chosen items, does not keep another waiting.
func TestManyOrdersOfOneAccount(t *testing.T) {
	t.Parallel()
	one := newRig(t)
	two := one.other(t)
	tests := []struct {
		name  string
		order func(r rig)
		next  func() dispatch.AccountID
	}{
		{"files", func(r rig) {
			_, err := lists.In(r.s).Exports.Order(t.Context(), lists.ExportOrder{Account: r.Account.ID, By: r.Actor, Format: dispatch.FormatCSV})
			if err != nil {
				t.Fatal(err)
			}
		}, func() dispatch.AccountID {
			e, err := lists.In(one.s).Exports.Claim(t.Context())
			if err != nil || e == nil {
				t.Fatalf("got %v, %v", e, err)
			}
			return e.Account
		}},
		{"acts", func(r rig) {
			id := r.in(t, dispatch.StateAccepted)
			_, err := lists.In(r.s).BulkOrders.Order(t.Context(), lists.BulkOrder{
				Account: r.Account.ID, By: r.Actor, FormKey: uuid.NewString(), Act: dispatch.BulkStop, Selection: lists.Selection{Viewer: r.User, Items: []dispatch.ItemID{id}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}, func() dispatch.AccountID {
			b, err := lists.In(one.s).BulkOrders.Claim(t.Context(), "")
			if err != nil || b == nil {
				t.Fatalf("got %v, %v", b, err)
			}
			return b.Account
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 3 {
				tt.order(one)
			}
			first := tt.next()
			tt.order(two)
			if got := tt.next(); first != one.Account.ID || got != two.Account.ID {
				t.Errorf("after one of the first account's three, its next goes before another account's only one")
			}
			for range 2 {
				if got := tt.next(); got != one.Account.ID {
					t.Errorf("the rest is another's: %s", got)
				}
			}
		})
	}
}
