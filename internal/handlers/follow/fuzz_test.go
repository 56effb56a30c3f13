package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// FuzzCursor: a place in a list that an address names is one that the database can hold, and reads back; anything else is the start.
func FuzzCursor(f *testing.F) {
	const id = "0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"
	for _, seed := range []string{"", "_", "1700000000000000_" + id, "-9223372036854775808_" + id, "9223372036854775807_" + id, "+1_" + id, "1_x", "1_" + id + "_2", "\xff_" + id} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		at := cursor(typed)
		if at.Zero() {
			if at != (store.Cursor{}) {
				t.Fatalf("%q is %+v", typed, at)
			}
			return
		}
		if again := cursor(cursorText(at)); !again.At.Equal(at.At) || again.ID != at.ID {
			t.Fatalf("%q is %+v, then %+v", typed, at, again)
		}
		// timestamptz ends in these years.
		if at.At.Before(time.Date(-4000, 1, 1, 0, 0, 0, 0, time.UTC)) || at.At.After(time.Date(294000, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Fatalf("%q is at %s", typed, at.At)
		}
		_ = dispatch.ItemID(at.ID)
	})
}
