// Package registry stores what is administered: accounts, integrations, credentials, rights, sessions, the event log, retention.
package registry

import "utsending/internal/store"

// Store runs this area's statements on the database of the whole.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
