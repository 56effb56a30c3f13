package bulk_test

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/bulk"
	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// TestALargeActTakesTurns: an act on thousands does not keep others waiting, not even those of its own account, and comes to its end.
func TestALargeActTakesTurns(t *testing.T) {
	t.Parallel()
	address := storetest.Database(t)
	s := storetest.Open(t, address)
	in := lists.In(s)
	r := storetest.NewSample(t, s, "oppvekst")
	item := r.Draft(t, s, storetest.ToPhone("90000123", "Hei"))
	order := func() string {
		t.Helper()
		id, err := in.BulkOrders.Order(t.Context(), lists.BulkOrder{
			Account: r.Account.ID, By: r.Actor, FormKey: uuid.NewString(), Act: dispatch.BulkStop, Selection: lists.Selection{Viewer: r.User, Items: []dispatch.ItemID{item}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	large, small := order(), order()
	const more = 2500
	_, err := storetest.DB(t, address).ExecContext(t.Context(), `INSERT INTO bulk_items (bulk_id, position, item_id) SELECT $1, 1 + n, gen_random_uuid() FROM generate_series(1, $2) n`, large, more)
	if err != nil {
		t.Fatal(err)
	}
	worker := bulk.New(bulk.Options{Store: s, Log: slog.New(slog.DiscardHandler)})
	left := func(id string) int {
		t.Helper()
		b, err := in.BulkOrders.ByID(t.Context(), r.Account.ID, r.User, id)
		if err != nil || b.Done != (b.Left == 0) {
			t.Fatalf("%d left, done %t, %v", b.Left, b.Done, err)
		}
		return b.Left
	}
	perform := func() bool {
		t.Helper()
		did, err := worker.Perform(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return did
	}
	if !perform() || left(large) == 0 || left(large) > more || left(small) != 1 {
		t.Fatalf("after a turn %d of the large one are left, and %d of the small one", left(large), left(small))
	}
	if !perform() || left(small) != 0 {
		t.Error("the small one waits for the large one's end")
	}
	for range 5 {
		perform()
	}
	if left(large) != 0 || perform() {
		t.Errorf("%d of the large one are left", left(large))
	}
}
