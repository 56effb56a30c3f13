// Package items stores what people make and act on: SMS, shipments and their documents, jobs and their rows, templates, decisions.
package items

import "utsending/internal/store"

// Store runs this area's statements on the database of the whole.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
