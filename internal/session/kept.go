package session

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"utsending/internal/store/registry"
)

// sessionStore stores each session with the provider's session id.
type sessionStore struct {
	registry.Sessions
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
	return s.Save(ctx, registry.SavedSession{Token: token, Data: data, Expires: expiry, Issuer: s.issuer, SID: sid, Replace: stored == 1})
}

// FindCtx implements scs.CtxStore. It puts the version of rights before the data, for marker.
func (s sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	read, err := s.Read(ctx, token)
	if err != nil || !isRecord(read.Data) {
		return nil, false, err
	}
	return append([]byte(string(read.Rights)+"\n"), read.Data...), true, nil
}

// marker decodes a stored session, adding the version of rights and a mark that it is stored: a session that is ended
// before it is written back must stay ended.
type marker struct {
	codec
	known *decoded
}

// Decode implements scs.Codec.
func (m marker) Decode(read []byte) (time.Time, map[string]any, error) {
	rights, data, _ := bytes.Cut(read, []byte("\n"))
	session, err := m.known.decode(m.codec, data)
	if err != nil {
		return session.deadline, nil, err
	}
	values := maps.Clone(session.values)
	values[keyStored], values[keyRights] = 1, string(rights)
	return session.deadline, values, nil
}

// decoded caches decoded sessions by their encoded form: each page of a user reads the same.
type decoded struct {
	mu sync.Mutex
	by map[string]decodedSession
}

// decodedSession is shared by its readers, and never changed.
type decodedSession struct {
	deadline time.Time
	values   map[string]any
}

// decodedMost limits the cache.
const decodedMost = 200

func (d *decoded) decode(c codec, data []byte) (decodedSession, error) {
	d.mu.Lock()
	session, ok := d.by[string(data)]
	d.mu.Unlock()
	if ok {
		return session, nil
	}
	var err error
	if session.deadline, session.values, err = c.Decode(data); err != nil {
		return session, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.by == nil || len(d.by) >= decodedMost {
		d.by = map[string]decodedSession{}
	}
	d.by[string(data)] = session
	return session, nil
}
