package lists

import (
	"context"
	"fmt"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Latest returns the latest items that a user, or if empty anybody, has sent on an account, of each job one only. Where jobs are larger
// than what is read at once, what was sent while they were made may be left out.
func (s Items) Latest(ctx context.Context, account dispatch.AccountID, sender dispatch.UserID, most int) (list []Sent, err error) {
	known, before := map[dispatch.JobID]bool{}, store.Cursor{}
	for range latestReads {
		rows, err := s.sentBefore(ctx, account, sender, before)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Job != "" && known[r.Job] {
				continue
			}
			known[r.Job] = true
			if list = append(list, Sent{r.ID, r.Job}); len(list) == most {
				return list, nil
			}
		}
		if len(rows) < latestRead {
			return list, nil
		}
		if before, err = s.beforeJob(ctx, rows[len(rows)-1]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// sentBefore reads the latest items sent before a place.
func (s Items) sentBefore(ctx context.Context, account dispatch.AccountID, sender dispatch.UserID, before store.Cursor) (rows []sentRow, err error) {
	arguments := []any{account}
	where := ""
	if sender != "" {
		arguments = append(arguments, sender)
		where += fmt.Sprintf(` AND l.created_by = $%d`, len(arguments))
	}
	if !before.Zero() {
		arguments = append(arguments, before.At, before.ID)
		where += fmt.Sprintf(` AND (l.created_at, l.item_id) < ($%d, $%d::uuid)`, len(arguments)-1, len(arguments))
	}
	var parts []string
	for _, kind := range dispatch.Kinds {
		parts = append(parts, fmt.Sprintf(`(SELECT l.item_id, l.created_at FROM listed l WHERE l.account_id = $1 AND l.kind = '%s' AND l.outcome <> ''%s
			ORDER BY l.created_at DESC, l.item_id DESC LIMIT %d)`, kind, where, latestRead))
	}
	err = s.Select(ctx, &rows, fmt.Sprintf(`
		SELECT l.item_id AS id, l.created_at, coalesce(it.job_id::text, '') AS job
		FROM (%s) l JOIN items it ON it.id = l.item_id AND it.account_id = $1
		ORDER BY l.created_at DESC, l.item_id DESC LIMIT %d`, strings.Join(parts, " UNION ALL "), latestRead), arguments...)
	return rows, err
}

// beforeJob is the place before an item, or before the first item of its job.
func (s Items) beforeJob(ctx context.Context, r sentRow) (store.Cursor, error) {
	at := store.Cursor{At: r.At, ID: r.ID}
	if r.Job == "" {
		return at, nil
	}
	var first []sentRow
	err := s.Select(ctx, &first, `SELECT id, created_at FROM items WHERE job_id = $1 ORDER BY job_position LIMIT 1`, r.Job)
	if len(first) > 0 && first[0].At.Before(at.At) {
		at = store.Cursor{At: first[0].At, ID: first[0].ID}
	}
	return at, err
}
