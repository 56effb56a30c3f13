package seeds_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/seeds"
	"utsending/internal/store/storetest"
)

func TestNamesAreMany(t *testing.T) {
	t.Parallel()
	different := map[string]bool{}
	for i := range seeds.Words {
		different[seeds.LastName(i)] = true
	}
	if len(different) < 30_000 {
		t.Errorf("there are %d different last names, want 30 000", len(different))
	}
}

// TestFill: the seeded items are listed, counted, found, and opened with their content.
func TestFill(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	sample := storetest.NewSample(t, s, "oppvekst")
	const n = 400
	if err := items.In(s).Filler.Fill(t.Context(), sample.Account.ID, seeds.Items(n, []dispatch.UserID{sample.User}, time.Now())); err != nil {
		t.Fatal(err)
	}
	rows, _, _, err := lists.In(s).Items.List(t.Context(), sample.Account.ID, lists.ListQuery{Viewer: sample.User, Page: store.Page{Limit: 1000}})
	if err != nil || len(rows) != n {
		t.Fatalf("got %d rows, %v; want %d", len(rows), err, n)
	}
	counts, err := lists.In(s).Items.Counts(t.Context(), sample.Account.ID, sample.User, "")
	if got := counts[dispatch.GroupArrived].N + counts[dispatch.GroupStopped].N; err != nil || got != n {
		t.Errorf("counted %d, %v; want %d", got, err, n)
	}
	var name string
	for _, r := range rows {
		if r.Kind == dispatch.KindSMS && (r.Text == "" || r.Recipient.Phone == "") || r.Kind == dispatch.KindShipment && r.Title == "" {
			t.Fatalf("a row says nothing: %+v", r.Item)
		}
		if r.Kind == dispatch.KindShipment {
			name = r.RecipientName
			if it, err := items.In(s).Shipments.ByID(t.Context(), sample.Account.ID, r.ID); err != nil || it.Recipient.Postal.Name != name {
				t.Fatalf("got %v", err)
			}
		}
	}
	search := lists.Search{Words: strings.Fields(strings.ToLower(strings.ReplaceAll(name, "-", " ")))}
	found, _, _, err := lists.In(s).Items.List(t.Context(), sample.Account.ID, lists.ListQuery{Viewer: sample.User, Search: &search, Page: store.Page{Limit: 10}})
	if err != nil || len(found) == 0 {
		t.Errorf("%d are found by a name, %v", len(found), err)
	}
}
