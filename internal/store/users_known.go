package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"utsending/internal/dispatch"
)

// RightsVersion tells states apart of what the rights of logins follow from: mappings, accounts and integrations. Each
// change of them gives it another value, in its own transaction.
type RightsVersion string

// knownMost bounds how many sets of claim values are kept.
const knownMost = 1000

// knownUsers keeps what sets of claim values gave at one version.
type knownUsers struct {
	mu      sync.Mutex
	version RightsVersion
	by      map[string]dispatch.User
}

// UserAt is User at a version that has just been read: the database is asked only when this process does not know what
// the values give at that version.
func (s *Store) UserAt(ctx context.Context, at RightsVersion, login dispatch.User, claims []string) (dispatch.User, error) {
	key := fmt.Sprintf("%q", claims)
	known, ok := s.known.get(at, key)
	if !ok {
		var err error
		if known, err = s.User(ctx, login.ID, login.Name, claims); err != nil {
			return dispatch.User{}, err
		}
		s.known.put(at, key, known)
	}
	known.ID, known.Name = login.ID, login.Name
	return known, nil
}

func (k *knownUsers) get(at RightsVersion, key string) (dispatch.User, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	u, ok := k.by[key]
	return u, ok && at != "" && at == k.version
}

// put keeps what was read after the version was: it may be newer, and then the version is never read again.
func (k *knownUsers) put(at RightsVersion, key string, u dispatch.User) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at != k.version || len(k.by) >= knownMost {
		k.version, k.by = at, map[string]dispatch.User{}
	}
	u.Grants, u.System = slices.Clip(u.Grants), slices.Clip(u.System)
	k.by[key] = u
}
