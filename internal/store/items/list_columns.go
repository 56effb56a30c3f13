package items

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ChooseGiro stores which column of the list of one's own draft of shipments has the giro pages of each row's slice.
func (s OwnFiles) ChooseGiro(ctx context.Context, account dispatch.AccountID, id dispatch.JobID, by store.Actor, giro string) error {
	return In(s.Store).Jobs.changeJobDraft(ctx, account, id, by, func(tx *sqlx.Tx, j dispatch.Job) error {
		if j.Division.Giro == giro {
			return nil
		}
		j.Division.Giro = giro
		return s.saveColumns(ctx, tx, j)
	})
}

// saveColumns stores which columns of a locked draft's list are about each row's slice.
func (s OwnFiles) saveColumns(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	content, err := s.sealJob(j.ID, contentOf(j))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET content = $3, looked = '' WHERE id = $1 AND account_id = $2`, j.ID, j.AccountID, content)
	return err
}

// keepGiro stores the giro pages of each slice; slices that giro does not name have none.
func keepGiro(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, giro map[int][]int) error {
	if j.Division.Giro == "" {
		return nil
	}
	var parts []int
	var pages []string
	for part, list := range giro {
		parts, pages = append(parts, part), append(pages, "{"+strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")+"}")
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE documents d SET giro_pages = coalesce(new.pages::integer[], '{}')
		FROM documents o LEFT JOIN unnest($3::integer[], $4::text[]) AS new (part, pages) ON new.part = o.part
		WHERE o.job_id = $1 AND o.account_id = $2 AND o.part > 0 AND o.complete AND d.id = o.id
		  AND d.giro_pages IS DISTINCT FROM coalesce(new.pages::integer[], '{}')`, j.ID, j.AccountID, pq.Array(parts), pq.Array(pages))
	return err
}
