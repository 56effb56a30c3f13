package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// TestUsedSetIsTheOneLoggedInWith: for every combination of sets, what the page calls used is what the store logs in with. Where all are
// refused, none is called used.
func TestUsedSetIsTheOneLoggedInWith(t *testing.T) {
	t.Parallel()
	r := newRig(t).other(t)
	sealed := read[[]byte](t, r, `SELECT sealed FROM credentials WHERE integration_id = $1 LIMIT 1`, r.Integration.ID)
	combinations := [][]string{{}}
	for _, kind := range []string{"next-due", "next-later", "active", "retiring", "retiring"} {
		var more [][]string
		for _, c := range combinations {
			for _, refused := range []string{"", kind, kind + "-refused"} {
				if refused == "" {
					more = append(more, c)
				} else if kind != "next-later" || len(c) == 0 { // one next at most
					more = append(more, append(c[:len(c):len(c)], refused))
				}
			}
		}
		combinations = more
	}
	for _, sets := range combinations {
		r.exec(t, `DELETE FROM credentials WHERE integration_id = $1`, r.Integration.ID)
		r.exec(t, `INSERT INTO credentials (id, integration_id, state) VALUES ($1, $2, 'wiped')`, uuid.NewString(), r.Integration.ID)
		for i, set := range sets {
			state, refused := strings.CutSuffix(set, "-refused")
			state, when, _ := strings.Cut(state, "-")
			r.exec(t, `INSERT INTO credentials (id, integration_id, state, sealed, created_at, switch_at, refused_at)
				VALUES ($1, $2, $3, $4, now() - $5 * interval '1 minute',
				        CASE $6 WHEN 'due' THEN now() - interval '1 hour' WHEN 'later' THEN now() + interval '1 hour' END, CASE WHEN $7 THEN now() END)`,
				uuid.NewString(), r.Integration.ID, state, sealed, i, when, refused)
		}
		shown, err := registry.In(r.s).Credentials.Sets(t.Context(), r.Integration.ID)
		if err != nil || len(shown) != len(sets)+1 {
			t.Fatalf("%v: %d sets, %v", sets, len(shown), err)
		}
		used, err := registry.In(r.s).Credentials.InUse(t.Context(), r.Integration.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		want := used.ID
		for _, s := range shown {
			if s.ID == want && !s.Refusal.At.IsZero() {
				want = ""
			}
		}
		if got := dispatch.UsedSet(shown, time.Now()); got != want {
			t.Errorf("%v: the page says %q, the store logs in with %q", sets, got, want)
		}
	}
	if len(combinations) != 135 {
		t.Errorf("%d combinations", len(combinations))
	}
}
