package main_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

// rotation rotates the sealing key during the storm.
type rotation struct {
	path  string // key set of programs to start
	file  []byte
	added []byte // the same with one more key; the test itself uses it to read resealed values, and seals with the first key
	old   []byte // prefix of values sealed with the first key
	steps int
}

func beginRotation(t *testing.T) rotation {
	t.Helper()
	r := rotation{path: filepath.Join(t.TempDir(), "keys.json"), file: storetest.Keys(t)}
	var err error
	if r.added, err = seal.Rotate(r.file); err != nil {
		t.Fatal(err)
	}
	r.write(t)
	return r
}

func (r *rotation) write(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(r.path, r.file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// due tells how many steps should have been taken: after a third of the time the key is added, after two thirds it is in use.
func (r *rotation) due(since, length time.Duration) bool {
	return r.steps < 2 && since >= time.Duration(r.steps+1)*length/3
}

// step takes the next step and replaces all programs, since none may seal with a key that another does not know.
func (r *rotation) step(s *storm, webs []*life) {
	s.t.Helper()
	if r.steps == 0 {
		r.old, r.file = s.sealedWith(), r.added
	} else {
		var err error
		if r.file, err = seal.Rotate(r.file); err != nil {
			s.t.Fatal(err)
		}
	}
	r.write(s.t)
	r.steps++
	for i := range webs {
		s.replace(webs, i)
	}
}

// sealedWith is the prefix of sealed values while there is one key.
func (s *storm) sealedWith() (prefix []byte) {
	s.t.Helper()
	if err := s.db.QueryRowContext(s.t.Context(), `SELECT substring(sealed FROM 1 FOR 5) FROM credentials LIMIT 1`).Scan(&prefix); err != nil {
		s.t.Fatal(err)
	}
	return prefix
}

// await returns when the remaining programs have begun to reseal: the test itself seals with the old key to the end.
func (r *rotation) await(s *storm) {
	s.t.Helper()
	eventually(s.t, "messages are sealed with the new key", func() bool {
		var begun bool
		err := s.db.QueryRowContext(s.t.Context(), `SELECT EXISTS (SELECT FROM sms WHERE substring(recipient FROM 1 FOR 5) <> $1)`, r.old).Scan(&begun)
		return err == nil && begun
	})
}

// finish reseals the remaining values, drops the old key, and lets the test read with the new one alone: the rotation has lost
// nothing.
func (r *rotation) finish(s *storm) {
	s.t.Helper()
	if got, err := seal.RotationOf(r.file); err != nil || got != seal.RotationUsed {
		s.t.Fatalf("the key was not changed in the storm: %q, %v", got, err)
	}
	both := storeWith(s.t, s.database, r.file)
	if _, left, err := both.Reseal(s.t.Context()); left != 0 || err != nil {
		s.t.Errorf("%d values are sealed with the old key still: %v", left, err)
	}
	file, err := seal.Drop(r.file)
	if err != nil {
		s.t.Fatal(err)
	}
	s.store = storeWith(s.t, s.database, file)
}

func storeWith(t *testing.T, database string, file []byte) *store.Store {
	t.Helper()
	keys, err := seal.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := store.Open(store.Options{URL: database, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}
