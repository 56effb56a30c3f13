package store

import (
	"context"

	"utsending/internal/dispatch"
)

// Language returns the language that a user has chosen; empty: none, or nobody.
func (s *Store) Language(ctx context.Context, user dispatch.UserID) (tag string, err error) {
	if user == "" {
		return "", nil
	}
	err = s.Get(ctx, &tag, `SELECT language FROM users WHERE id = $1`, user)
	return tag, NotFound(err)
}

// SetLanguage stores the language that a user has chosen; empty: none.
func (s *Store) SetLanguage(ctx context.Context, user dispatch.UserID, tag string) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE users SET language = $2 WHERE id = $1`, user, tag)
	return err
}
