// Package items stores what users create and act on: SMS, shipments and their documents, jobs and their rows,
// templates, decisions.
package items

import "utsending/internal/store"

// Store has this area's methods, on the shared store.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
