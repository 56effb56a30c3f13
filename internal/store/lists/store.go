// Package lists stores what people look for: lists, counts, the worklist, searches, exports and statistics.
package lists

import "utsending/internal/store"

// Store runs this area's statements on the database of the whole.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
