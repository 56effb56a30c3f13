// Package registry stores what administrators manage: accounts, integrations, credentials, rights, sessions, the
// event log, retention.
package registry

import "utsending/internal/store"

// Store has this area's methods, on the shared store.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }
