package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// keyedRig is a rig whose keys the test holds.
func keyedRig(t *testing.T, file []byte) rig {
	t.Helper()
	url := storetest.Database(t)
	r := rig{url: url, s: keyed(t, url, file), db: storetest.DB(t, url)}
	if _, err := queue.In(r.s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	r.Sample = storetest.NewSample(t, r.s, slug())
	return r
}

// keyed opens a database with the keys of a file.
func keyed(t *testing.T, url string, file []byte) *store.Store {
	t.Helper()
	keys, err := seal.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{URL: url, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// next rotates a key set by one step.
func next(t *testing.T, file []byte, change func([]byte) ([]byte, error), want seal.Rotation) []byte {
	t.Helper()
	changed, err := change(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := seal.RotationOf(changed); err != nil || got != want {
		t.Fatalf("got %q, %v, want %q", got, err, want)
	}
	return changed
}

// TestReseal: after a full rotation everything opens with the new key alone, and is found by its number as before.
func TestReseal(t *testing.T) {
	t.Parallel()
	first, err := seal.New()
	if err != nil {
		t.Fatal(err)
	}
	r := keyedRig(t, first)
	id := r.Queue(t, r.s, storetest.ToPhone(phone, text))
	file := random(3*piece + 5)
	shipment := r.shipment(t)
	document, err := r.upload(t, shipment, "vedtak.pdf", bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	added := next(t, first, seal.Rotate, seal.RotationAdded)
	used := next(t, added, seal.Rotate, seal.RotationUsed)
	draft := r.Draft(t, r.s, storetest.ToPhone(phone, text))
	looked := r.Seen(t, r.s, draft)

	if sealed, left, err := keyed(t, r.url, added).Reseal(t.Context()); sealed != 0 || left != 0 || err != nil {
		t.Errorf("a key that is only known: sealed %d, left %d, %v", sealed, left, err)
	}
	r.s = keyed(t, r.url, used)
	r.Draft(t, r.s, storetest.ToPhone(phone, text)) // sealed with the new key from the start
	before, err := r.s.SealedBefore(t.Context())
	if err != nil || before == 0 {
		t.Fatalf("got %d sealed before, %v", before, err)
	}
	if sealed, left, err := r.s.Reseal(t.Context()); sealed != before || left != 0 || err != nil {
		t.Errorf("sealed %d, left %d, %v, want %d and 0", sealed, left, err, before)
	}
	if _, err := items.In(keyed(t, r.url, first)).SMS.ByID(t.Context(), r.Account.ID, id); err == nil {
		t.Error("the old key still opens it")
	}
	if err := items.In(r.s).SMS.ChangeSeenDraft(t.Context(), r.Account.ID, draft, r.Actor, looked, storetest.ToPhone(phone, text), 0); err != nil {
		t.Errorf("a draft that was only sealed anew counts as changed: %v", err)
	}
	if err := items.In(r.s).SMS.ChangeSeenDraft(t.Context(), r.Account.ID, draft, r.Actor, looked, storetest.ToPhone(phone, text), 0); !errors.Is(err, store.ErrStale) {
		t.Errorf("a draft that was changed since: got %v, want ErrStale", err)
	}
	r.s = keyed(t, r.url, next(t, used, seal.Drop, seal.RotationNone))
	if it, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, id); err != nil || it.Recipient.Phone != phone || it.Text != text {
		t.Errorf("the message does not open any more: %v", err)
	}
	if got, err := r.content(t, document); err != nil || !bytes.Equal(got, file) {
		t.Errorf("the file does not open any more: %v", err)
	}
	if n, err := queue.In(r.s).Examinations.VerifyKeys(t.Context()); err != nil || n == 0 {
		t.Errorf("the credentials do not open any more: %d, %v", n, err)
	}
}

// TestResealLeavesOthersAlone: rows changed concurrently are left to the next pass, and values that cannot be opened
// stay unchanged.
func TestResealLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	first, err := seal.New()
	if err != nil {
		t.Fatal(err)
	}
	r := keyedRig(t, first)
	held := r.Queue(t, r.s, storetest.ToPhone(phone, text))
	broken := r.Queue(t, r.s, storetest.ToPhone(phone, text))
	r.exec(t, `UPDATE sms SET text = substring(text FROM 1 FOR 5) || 'nonsense' WHERE item_id = $1`, broken)
	r.s = keyed(t, r.url, next(t, next(t, first, seal.Rotate, seal.RotationAdded), seal.Rotate, seal.RotationUsed))
	tx, err := r.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rollback(t, tx)
	if _, err := tx.ExecContext(t.Context(), `UPDATE sms SET parts = 2 WHERE item_id = $1`, held); err != nil {
		t.Fatal(err)
	}
	if _, left, err := r.s.Reseal(t.Context()); left != 3 || err != nil { // both columns of one, one of the other
		t.Errorf("while one is held: left %d, %v, want 3", left, err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if sealed, left, err := r.s.Reseal(t.Context()); sealed != 2 || left != 1 || err != nil {
		t.Errorf("after that: sealed %d, left %d, %v, want 2 and 1", sealed, left, err)
	}
	if it, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, held); err != nil || it.Segments.Count != 2 || it.Text != text {
		t.Errorf("the other change is gone: %v", err)
	}
}

func rollback(t *testing.T, tx *sql.Tx) {
	t.Helper()
	_ = tx.Rollback() // ended, as a rule
}

// notSealed are columns of bytes that hold no secret.
const notSealed = `('themes.logo', 'document_chunks.object_seal')`

// TestEverySealedColumnIsKnown: every column of bytes is either sealed, and re-sealed in a rotation, or a hash, or no secret.
func TestEverySealedColumnIsKnown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	names := read[string](t, r, `
		SELECT coalesce(string_agg(table_name || '.' || column_name, ' '), '') FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name NOT LIKE '%hash' AND column_name <> 'fingerprint'
		  AND table_name || '.' || column_name NOT IN `+notSealed)
	known := " " + strings.Join(store.SealedColumns(), " ") + " "
	for _, name := range strings.Fields(names) {
		if !strings.Contains(known, " "+name+" ") {
			t.Errorf("%s is not sealed anew in a rotation", name)
		}
	}
	if n := len(strings.Fields(names)); n != len(store.SealedColumns()) {
		t.Errorf("got %d columns, and %d are known", n, len(store.SealedColumns()))
	}
}
