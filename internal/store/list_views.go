package store

import (
	"context"

	"utsending/internal/dispatch"
)

// ListView returns how a user wants lists to look.
func (s *Store) ListView(ctx context.Context, user dispatch.UserID) (dispatch.ListView, error) {
	var text string
	err := s.Get(ctx, &text, `SELECT list_view FROM users WHERE id = $1`, user)
	return dispatch.ParseListView(text), NotFound(err)
}

// SetListView stores how a user wants lists to look.
func (s *Store) SetListView(ctx context.Context, user dispatch.UserID, v dispatch.ListView) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE users SET list_view = $2 WHERE id = $1`, user, v.String())
	return err
}
