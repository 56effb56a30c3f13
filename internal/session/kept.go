package session

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"utsending/internal/store"
)

// sessionStore tells the database which of the provider's sessions one of ours belongs to.
type sessionStore struct {
	store.SessionStore
	issuer string
}

// CommitCtx implements scs.CtxStore.
func (s sessionStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, values, err := codec{}.Decode(data)
	if err != nil {
		return fmt.Errorf("read session: %w", err)
	}
	sid, _ := values[keySID].(string)
	stored, _ := values[keyStored].(int)
	return s.Save(ctx, store.SavedSession{Token: token, Data: data, Expires: expiry, Issuer: s.issuer, SID: sid, Replace: stored == 1})
}

// FindCtx implements scs.CtxStore. The version of what gives rights goes before the data, to the marker.
func (s sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	read, err := s.Read(ctx, token)
	if err != nil || read.Data == nil {
		return nil, false, err
	}
	return append([]byte(string(read.Rights)+"\n"), read.Data...), true, nil
}

// marker marks what was read: with the version of what gives rights, and so that a session which is ended before it is
// written back stays ended.
type marker struct{ codec }

// Decode implements scs.Codec.
func (m marker) Decode(read []byte) (time.Time, map[string]any, error) {
	rights, data, _ := bytes.Cut(read, []byte("\n"))
	deadline, values, err := m.codec.Decode(data)
	if err == nil && values != nil {
		values[keyStored], values[keyRights] = 1, string(rights)
	}
	return deadline, values, err
}
