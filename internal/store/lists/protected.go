package lists

import (
	"context"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// hiddenFrom returns which of the protected people the viewer of a context may not see. Without a viewer it is all of them.
func (s rows) hiddenFrom(ctx context.Context, people []dispatch.ProtectedID) (map[dispatch.ProtectedID]bool, error) {
	if len(people) == 0 {
		return nil, nil
	}
	var hidden []dispatch.ProtectedID
	err := s.DB.SelectContext(ctx, &hidden, `
		SELECT DISTINCT p FROM unnest($1::uuid[]) p WHERE NOT `+store.Names("p", "$2"),
		pq.Array(people), store.Null(store.Viewer(ctx)))
	set := make(map[dispatch.ProtectedID]bool, len(hidden))
	for _, p := range hidden {
		set[p] = true
	}
	return set, err
}

// hideProtected hides the rows of protected people whom the viewer may not see.
func (s rows) hideProtected(ctx context.Context, rows []dispatch.ListRow) error {
	var people []dispatch.ProtectedID
	for i := range rows {
		if rows[i].Protected != "" && rows[i].State != dispatch.StateDraft {
			people = append(people, rows[i].Protected)
		}
	}
	hidden, err := s.hiddenFrom(ctx, people)
	for i := range rows {
		if hidden[rows[i].Protected] && rows[i].State != dispatch.StateDraft {
			rows[i].Hide()
		}
	}
	return err
}

// maySee is the condition that an item of the alias o is not to a protected person whom a viewer, given as a placeholder, may not see.
func maySee(o, viewer string) string {
	return `(` + o + `.protected_id IS NULL OR ` + store.Names(o+".protected_id", viewer+"::uuid") + `)`
}
