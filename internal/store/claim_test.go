package store_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

func TestClaimWaitsForTheUndoWindow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Account.UndoWindow = time.Minute
	id := r.queued(t)
	if lanes, err := queue.In(r.s).Claims.Lanes(t.Context()); err != nil || len(lanes) != 0 {
		t.Errorf("got %d lanes, %v inside the window; want none", len(lanes), err)
	}
	if r.tryClaim(t, r.lane()) != nil {
		t.Fatal("claimed inside the window")
	}
	r.exec(t, `UPDATE items SET due_at = due_at - interval '1 minute', due_since = due_since - interval '1 minute' WHERE id = $1`, id)
	lanes, err := queue.In(r.s).Claims.Lanes(t.Context())
	if err != nil || len(lanes) != 1 || lanes[0] != r.lane() {
		t.Fatalf("got lanes %+v, %v; want %+v", lanes, err, r.lane())
	}
	c := r.claim(t)
	if c.Item != id || c.SMS.Recipient.Phone != "90000123" || c.SMS.Text != "Hei der" || c.Unavailable != 0 {
		t.Error("the claim is not the whole item")
	}
	t.Run("the attempt stands written before anything is called", func(t *testing.T) {
		if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE id = $1 AND item_id = $2 AND account_id = $3 AND integration_id = $4
			AND finished_at IS NULL AND outcome = ''`, c.Attempt, id, r.Account.ID, r.Integration.ID); n != 1 {
			t.Errorf("got %d attempts, want 1", n)
		}
	})
	t.Run("and the item is nobody else's", func(t *testing.T) {
		if r.state(t, id) != dispatch.StateSending || r.tryClaim(t, r.lane()) != nil {
			t.Error("it can be claimed again")
		}
	})
	t.Run("too late to cancel", func(t *testing.T) {
		wantErr(t, stop(r.s, t.Context(), r.Account.ID, id, r.Actor), store.ErrChanged)
	})
}

// TestClaimSome: callers get different items in lane order, each with an attempt begun.
func TestClaimSome(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var want, got []dispatch.ItemID
	for range 6 {
		want = append(want, r.queued(t))
	}
	attempts, tokens := map[dispatch.AttemptID]bool{}, map[string]bool{}
	for _, callers := range []int{3, 1, 9} {
		list, err := queue.In(r.s).Claims.ClaimMany(t.Context(), r.lane(), time.Minute, callers)
		if err != nil || len(list) != min(callers, len(want)-len(got)) {
			t.Fatalf("got %d items, %v for %d callers", len(list), err, callers)
		}
		for _, c := range list {
			got = append(got, c.Item)
			attempts[c.Attempt], tokens[c.Token] = true, true
			if row := read[string](t, r, `SELECT lease_token FROM items WHERE id = $1 AND state = 'sending'`, c.Item); row != c.Token {
				t.Errorf("got token %s, want %s", c.Token, row)
			}
			if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE id = $1 AND item_id = $2 AND finished_at IS NULL`, c.Attempt, c.Item); n != 1 || c.SMS.Text != "Hei der" {
				t.Errorf("got %d attempts and the text %q", n, c.SMS.Text)
			}
		}
	}
	slices.Sort(got) // ids are made in order
	if !slices.Equal(got, want) || len(attempts) != len(want) || len(tokens) != 3 {
		t.Errorf("got %d items with %d attempts and %d tokens, want 6, 6 and 3", len(got), len(attempts), len(tokens))
	}
}

// TestClaimReadsWhatItTakes: a claim reads the first items of a lane without reading the whole lane.
func TestClaimReadsWhatItTakes(t *testing.T) {
	t.Parallel()
	const due, most = 1000, queue.ClaimAtMost / 2
	r := newRig(t)
	r.SendJob(t, r.s, listOf(due), items.JobText{Text: "Hei der"})
	for r.makeSome(t) > 0 {
	}
	r.exec(t, `ANALYZE items`)
	lanes, err := queue.In(r.s).Claims.Lanes(t.Context())
	if err != nil || len(lanes) != 1 {
		t.Fatalf("got %d lanes, %v; want the job's", len(lanes), err)
	}
	_ = r.s.Close()
	storetest.EndSessions(t, r.url)
	before := r.itemsRead(t)
	apart := storetest.Open(t, r.url)
	claims, err := queue.In(apart).Claims.ClaimMany(t.Context(), lanes[0], time.Minute, most)
	if err != nil || len(claims) != most {
		t.Fatalf("got %d claims, %v; want %d", len(claims), err, most)
	}
	_ = apart.Close()
	if n := r.itemsRead(t) - before; n < most || n > 4*most {
		t.Errorf("read %d items of %d to claim %d", n, due, most)
	}
}

// itemsRead returns how many rows of items were read by index or sequential scan. The statistics are certain only
// when other connections have ended and the own one has told what it read, so it waits for that.
func (r rig) itemsRead(t *testing.T) int {
	t.Helper()
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
	r.db.SetMaxOpenConns(1)
	await.True(t, "there are no other connections", func() bool { return read[int](t, r, others) == 0 })
	r.exec(t, `SELECT pg_stat_force_next_flush()`)
	return read[int](t, r, `SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'items'`)
}

func TestClaimTakesTheOldestFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	late, early := r.queued(t), r.queued(t)
	r.exec(t, `UPDATE items SET due_at = now() - interval '1 hour' WHERE id = $1`, early)
	if got := r.claim(t).Item; got != early {
		t.Error("got the later one")
	}
	if got := r.claim(t).Item; got != late {
		t.Error("got another one")
	}
}

// Conditions under which a due item must not be claimed. The claim's own SQL must check them, since lanes are read
// earlier.
func TestClaimHolds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		hold string // $1 is the account, $2 the integration
		want dispatch.Block
		lane bool // a lane is named all the same, for a probe
	}{
		{"a refused integration", `UPDATE integrations SET refused_at = now(), next_probe_at = now() + interval '1 minute'
			WHERE id = $2 AND $1::uuid IS NOT NULL`, dispatch.BlockRefused, true},
		{"a refused account", `INSERT INTO account_refusals (account_id, integration_id, refused_key, next_probe_at)
			VALUES ($1, $2, '', now() + interval '1 minute')`, dispatch.BlockAccount, true},
		{"a stopped integration", `UPDATE integrations SET stopped_at = now() WHERE id = $2 AND $1::uuid IS NOT NULL`, dispatch.BlockStopped, false},
		{"an account without integration", `UPDATE accounts SET sms_integration_id = NULL WHERE id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockMissing, false},
		{"an account with another integration", `WITH other AS (INSERT INTO integrations (id, name, kind, service, refused_at)
			VALUES (gen_random_uuid(), 'annen', 'sms', 'sms', now()) RETURNING id)
			UPDATE accounts SET sms_integration_id = other.id FROM other WHERE accounts.id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockRefused, true},
		{"a disabled account", `UPDATE accounts SET disabled_at = now() WHERE id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockDisabled, false},
		{"paused delivery", `UPDATE delivery_guard SET paused_at = now() WHERE $1::uuid <> $2::uuid`, dispatch.BlockPaused, true},
		{"more than a day of waiting", `UPDATE items SET due_since = now() - interval '24 hours' WHERE account_id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockNone, false},
		{"a due time ahead", `UPDATE items SET due_at = now() + interval '1 minute' WHERE account_id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockNone, false},
		{"cancelling", `UPDATE items SET state = 'cancelled' WHERE account_id = $1 AND $2::uuid IS NOT NULL`, dispatch.BlockNone, false},
		{"a stopped integration that the item is pinned to", `WITH other AS (INSERT INTO integrations (id, name, kind, service)
			VALUES (gen_random_uuid(), 'annen', 'sms', 'sms') RETURNING id),
			pinned AS (UPDATE items SET pinned_integration_id = $2 WHERE account_id = $1),
			stopped AS (UPDATE integrations SET stopped_at = now() WHERE id = $2)
			UPDATE accounts SET sms_integration_id = other.id FROM other WHERE accounts.id = $1`, dispatch.BlockStopped, false},
	}
	for _, tt := range tests {
		t.Run(tt.name+" holds", func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			id := r.queued(t)
			before := r.lane()
			r.exec(t, tt.hold, r.Account.ID, r.Integration.ID)
			row := r.row(t, id)
			if r.tryClaim(t, before) != nil || r.row(t, id) != row {
				t.Error("it was claimed")
			}
			lanes, err := queue.In(r.s).Claims.Lanes(t.Context())
			if err != nil || (len(lanes) > 0) != tt.lane {
				t.Errorf("got lanes %v, %v; want some: %t", lanes, err, tt.lane)
			}
			if got := r.Item(t, r.s, id).Block; got != tt.want {
				t.Errorf("the item says %q, want %q", got, tt.want)
			}
			list, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.Actor.User, Page: store.Page{Limit: 10}})
			if err != nil || len(list) != 1 || list[0].Block != tt.want {
				t.Errorf("the list says %+v, %v; want %q", list, err, tt.want)
			}
			if read[bool](t, r, `SELECT pinned_integration_id IS NOT NULL FROM items WHERE id = $1`, id) {
				return // a new one would not be
			}
			if got, err := r.s.Block(t.Context(), r.Account.ID, dispatch.KindSMS); err != nil || got != tt.want {
				t.Errorf("the account says %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// together runs n claimers over two stores until nothing is due, and returns the claims.
func together(t *testing.T, n int, r rig, lane queue.Lane) []*queue.Claim {
	t.Helper()
	stores := []*store.Store{r.s, storetest.Open(t, r.url)}
	var mu sync.Mutex
	var claims []*queue.Claim
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for {
				c, err := queue.In(stores[i%2]).Claims.Claim(t.Context(), lane, time.Minute)
				if err != nil {
					t.Error(err)
				}
				if c == nil {
					return
				}
				mu.Lock()
				claims = append(claims, c)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return claims
}

func TestClaimsAtOnceGiveEachItemOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const items = 200
	for range items {
		r.queued(t)
	}
	claims := together(t, 8, r, r.lane())
	seen, tokens, attempts := map[dispatch.ItemID]bool{}, map[string]bool{}, map[dispatch.AttemptID]bool{}
	for _, c := range claims {
		seen[c.Item], tokens[c.Token], attempts[c.Attempt] = true, true, true
	}
	if len(claims) != items || len(seen) != items || len(tokens) != items || len(attempts) != items {
		t.Errorf("got %d claims of %d items with %d tokens and %d attempts, want %d of each", len(claims), len(seen), len(tokens), len(attempts), items)
	}
	if n := read[int](t, r, `SELECT count(*) FROM attempts`); n != items {
		t.Errorf("got %d attempts in the table, want %d", n, items)
	}
}

func TestCancelAndClaimAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 20 {
		id := r.queued(t)
		var c *queue.Claim
		var claimed, cancelled error
		var both sync.WaitGroup
		both.Go(func() { c, claimed = queue.In(r.s).Claims.Claim(t.Context(), r.lane(), time.Minute) })
		both.Go(func() { cancelled = stop(r.s, t.Context(), r.Account.ID, id, r.Actor) })
		both.Wait()
		if claimed != nil || (c != nil) == (cancelled == nil) {
			t.Fatalf("claimed %t (%v), cancelled: %v; want exactly one", c != nil, claimed, cancelled)
		}
		if c != nil {
			r.finish(t, c, rejected())
		}
	}
}

// An item that cannot be opened was certainly not sent: it must not become uncertain.
func TestClaimOfWhatDoesNotOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.queued(t)
	r.exec(t, `UPDATE sms SET text = recipient WHERE item_id = $1`, id)
	c, err := queue.In(r.s).Claims.Claim(t.Context(), r.lane(), time.Minute)
	if c != nil || err == nil || strings.Contains(store.Describe(err), "90000123") {
		t.Fatalf("got a claim: %t, %v; want an error that names no recipient", c != nil, err)
	}
	it := read[string](t, r, `SELECT state || ' ' || unavailable_count || ' ' || (due_at > now()) FROM items WHERE id = $1`, id)
	if it != "queued 1 true" {
		t.Errorf("got %q, want it queued with a wait", it)
	}
	if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE item_id = $1 AND outcome = 'unavailable' AND finished_at IS NOT NULL`, id); n != 1 {
		t.Errorf("got %d ended attempts, want 1", n)
	}
}
