package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"utsending/internal/dispatch"
)

// RightsVersion identifies the state of everything that rights depend on: mappings, accounts and integrations. Each
// change gives it a new value, in the same transaction.
type RightsVersion string

// knownMost bounds the cache.
const knownMost = 1000

// knownUsers caches users' rights by claim values, for one version.
type knownUsers struct {
	mu      sync.Mutex
	version RightsVersion
	by      map[string]dispatch.User
}

// UserAt is User at a version that has just been read, from the cache if possible.
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

// put caches rights that were read after the version: if they are newer, that version is not current and never asked
// for again.
func (k *knownUsers) put(at RightsVersion, key string, u dispatch.User) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at != k.version || len(k.by) >= knownMost {
		k.version, k.by = at, map[string]dispatch.User{}
	}
	u.Grants, u.System = slices.Clip(u.Grants), slices.Clip(u.System)
	k.by[key] = u
}
