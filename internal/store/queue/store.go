// Package queue stores what delivery does: claims, attempts and their outcomes, recovery, status reads, the restore guard, and stopping.
package queue

import "utsending/internal/store"

// Store runs this area's statements on the database of the whole.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
