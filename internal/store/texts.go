package store

import (
	"strings"
)

// OpenText opens a sealed text; NULL is empty.
func (s *Store) OpenText(sealed []byte, place string) (string, error) {
	if sealed == nil {
		return "", nil
	}
	plain, err := s.Keys.Open(sealed, place)
	return string(plain), err
}

// SealText seals a text; an empty one is NULL.
func (s *Store) SealText(text, place string) ([]byte, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	return s.Keys.Seal([]byte(text), place)
}
