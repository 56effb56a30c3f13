package store

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// namesLife is how long a name is cached; then a changed name is shown.
const namesLife = time.Minute

// userNames caches users' names: every row of a list has one, and few users have sent them all.
type userNames struct {
	mu    sync.Mutex
	until time.Time
	by    map[dispatch.UserID]string
}

// AddCreators fills in the creators' names of list rows.
func (s *Store) AddCreators(ctx context.Context, rows []dispatch.ListRow) error {
	unknown := s.names.fill(rows)
	if len(unknown) == 0 {
		return nil
	}
	var found []struct {
		ID   dispatch.UserID `db:"id"`
		Name string          `db:"name"`
	}
	if err := s.Select(ctx, &found, `SELECT id, name FROM users WHERE id = ANY($1)`, pq.Array(unknown)); err != nil {
		return err
	}
	read := make(map[dispatch.UserID]string, len(found))
	for _, u := range found {
		read[u.ID] = u.Name
	}
	s.names.keep(read)
	for i := range rows { // not from the cache, which may have expired meanwhile
		if name, ok := read[rows[i].CreatedBy]; ok {
			rows[i].Creator = name
		}
	}
	return nil
}

// fill fills in the cached names, and returns the ids of the others.
func (n *userNames) fill(rows []dispatch.ListRow) (unknown []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now := time.Now(); !now.Before(n.until) {
		n.until, n.by = now.Add(namesLife), map[dispatch.UserID]string{}
	}
	for i := range rows {
		name, ok := n.by[rows[i].CreatedBy]
		if rows[i].Creator = name; !ok {
			unknown = append(unknown, string(rows[i].CreatedBy))
		}
	}
	return unknown
}

// keep caches names.
func (n *userNames) keep(read map[dispatch.UserID]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.Copy(n.by, read)
}
