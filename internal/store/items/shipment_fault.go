package items

import (
	"encoding/json"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// openFault opens what keepFault sealed.
func (s *Store) openFault(id dispatch.ItemID, sealed []byte) (f dispatch.Fault, err error) {
	if sealed == nil {
		return f, nil
	}
	plain, err := s.Keys.Open(sealed, store.FaultPlace(id))
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(plain, &f)
}
