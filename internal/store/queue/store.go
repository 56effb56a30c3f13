// Package queue stores delivery's state: claims, attempts and their outcomes, recovery, status reads, the restore
// guard, and stops.
package queue

import "utsending/internal/store"

// Store has this area's methods, on the shared store.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
