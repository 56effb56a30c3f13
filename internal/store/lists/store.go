// Package lists stores what users look for: lists, counts, the worklist, searches, exports and statistics.
package lists

import "utsending/internal/store"

// Store has this area's methods, on the shared store.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
