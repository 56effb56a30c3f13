// Package items stores what users create and act on: SMS, shipments and their documents, jobs and their rows,
// templates, decisions.
package items

import (
	"encoding/json"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Store has this area's methods, on the shared store.
type Store struct{ *store.Store }

// In returns this area of a store.
func In(s *store.Store) *Store { return &Store{s} }

func when(condition bool, err error) error {
	if condition {
		return err
	}
	return nil
}

// hashNumber is the keyed hash of a recipient's number, used for search; nil: no number.
func (s *Store) hashNumber(to dispatch.Address) ([]byte, error) {
	switch d := to.Digital; {
	case d.NationalID != "":
		return s.Keys.Hash("national_id", d.NationalID.Reveal())
	case d.OrganizationNumber != "":
		return s.Keys.Hash("organization", string(d.OrganizationNumber))
	}
	return nil, nil
}

// sealFields seals a form.
func (s *Store) sealFields(f dispatch.DraftFields, place string) ([]byte, error) {
	plain, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return s.Keys.Seal(plain, place)
}

// openFields opens what sealFields sealed.
func (s *Store) openFields(sealed []byte, place string) (f dispatch.DraftFields, err error) {
	plain, err := s.Keys.Open(sealed, place)
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(plain, &f)
}
