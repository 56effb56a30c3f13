package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// CitizenReport lists the uses of a person's number: metadata only.
type CitizenReport struct {
	Items    []CitizenItem
	More     bool              // there are more items than citizenMost
	Lookups  []store.AuditLine // in the contact register
	Searches []store.AuditLine // for the number, and earlier reports on it
	Views    []store.AuditLine // opened content and revealed numbers of those items
	Hidden   int               // accounts that are left out, since the person is protected there and the user is not named
}

// CitizenItem is an item that was sent to the person.
type CitizenItem struct {
	ID          dispatch.ItemID    `db:"id"`
	Account     dispatch.AccountID `db:"account_id"`
	AccountName string             `db:"account_name"`
	AccountSlug string             `db:"account_slug"`
	Kind        dispatch.Kind      `db:"kind"`
	State       dispatch.State     `db:"state"`
	Status      dispatch.Status    `db:"status"`
	CreatedAt   time.Time          `db:"created_at"`
	AcceptedAt  *time.Time         `db:"accepted_at"`
	StatusAt    *time.Time         `db:"status_at"`
	Creator     string             `db:"creator"`
	Title       string             `db:"title"`
}

// citizenMost is the most items in a report.
const citizenMost = 1000

// Report records in the event log who asks for a report on a person's number and why, and returns the report for the
// accounts that the user may see. Earlier reports on several accounts belong to no account: with all,
// every user's are included, otherwise only the actor's own. Purged items are not found. It counts as a search for the number: a user who has
// made too many gets a problem.
func (s Citizens) Report(ctx context.Context, accounts []dispatch.AccountID, all bool, wanted dispatch.Search, a store.Audit) (r CitizenReport, refused *dispatch.Problem, err error) {
	hashes, err := s.NumberHashes(wanted)
	if err != nil {
		return r, nil, err
	}
	var own int64
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		own, refused, err = store.SearchNumbers(ctx, tx, accounts, hashes, a)
		return err
	})
	if err != nil || refused != nil {
		return r, refused, err
	}
	open, err := s.mayReport(ctx, accounts, hashes, a.Actor)
	if err != nil {
		return r, nil, err
	}
	if r, err = s.citizen(ctx, open, hashes); err != nil {
		return r, nil, err
	}
	r.Hidden = len(accounts) - len(open)
	r.Searches, err = s.auditLines(ctx, `
		WHERE (e.account_id = ANY($1) OR e.account_id IS NULL AND e.action = 'citizen.report' AND ($4 OR e.actor_id = $5))
		AND e.action = ANY($3) AND e.action <> 'lookup' AND e.id <> $6 AND `+aboutNumber,
		pq.Array(open), pq.ByteaArray(hashes), pq.Array(dispatch.AuditSearch.Actions()), all, a.Actor, own)
	return r, nil, err
}

// mayReport returns the accounts on which the number is not that of a protected person hidden from the user.
func (s Citizens) mayReport(ctx context.Context, accounts []dispatch.AccountID, hashes [][]byte, user dispatch.UserID) (open []dispatch.AccountID, err error) {
	err = s.DB.SelectContext(ctx, &open, `
		SELECT a FROM unnest($1::uuid[]) a WHERE NOT EXISTS (
			SELECT FROM protected_numbers n WHERE n.account_id = a AND n.number_hash = ANY($2)
			AND NOT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = n.person_id AND w.user_id = $3))`,
		pq.Array(accounts), pq.ByteaArray(hashes), user)
	return open, err
}

// aboutNumber selects lines e of the event log about a number with one of the hashes $2.
const aboutNumber = `e.id IN (SELECT event_id FROM looked_up WHERE number_hash = ANY($2))`

// citizen reads the report, without the searches.
func (s Citizens) citizen(ctx context.Context, accounts []dispatch.AccountID, hashes [][]byte) (r CitizenReport, err error) {
	err = s.Select(ctx, &r.Items, `
		SELECT it.id, it.account_id, ac.name AS account_name, ac.slug AS account_slug, it.kind, it.state, it.status, it.created_at, it.accepted_at, it.status_at,
		       u.name AS creator, f.title
		FROM (SELECT m.item_id, '' AS title FROM sms m WHERE m.account_id = ANY($1) AND m.recipient_hash = ANY($2)
		      UNION ALL
		      SELECT h.item_id, h.title FROM shipments h WHERE h.account_id = ANY($1) AND h.number_hash = ANY($2)) f
		JOIN items it ON it.id = f.item_id
		JOIN accounts ac ON ac.id = it.account_id
		JOIN users u ON u.id = it.created_by
		WHERE it.state <> 'draft'
		ORDER BY it.created_at DESC, it.id DESC
		LIMIT $3`, pq.Array(accounts), pq.ByteaArray(hashes), citizenMost+1)
	if err != nil {
		return r, err
	}
	if r.More = len(r.Items) > citizenMost; r.More {
		r.Items = r.Items[:citizenMost]
	}
	if r.Lookups, err = s.auditLines(ctx, ` WHERE e.account_id = ANY($1) AND e.action = 'lookup' AND `+aboutNumber, pq.Array(accounts), pq.ByteaArray(hashes)); err != nil {
		return r, err
	}
	ids := make([]string, len(r.Items))
	for i, it := range r.Items {
		ids[i] = string(it.ID)
	}
	r.Views, err = s.auditLines(ctx, ` WHERE e.account_id = ANY($1) AND e.object_id = ANY($2::uuid[]) AND e.action = ANY($3)`,
		pq.Array(accounts), pq.Array(ids), pq.Array(dispatch.AuditContent.Actions()))
	return r, err
}

// auditLines returns lines of the event log, newest first.
func (s Citizens) auditLines(ctx context.Context, where string, args ...any) ([]store.AuditLine, error) {
	var rows []store.AuditRow
	if err := s.Select(ctx, &rows, store.SelectAudit+where+` ORDER BY e.at DESC, e.id DESC LIMIT 5000`, args...); err != nil {
		return nil, err
	}
	lines := make([]store.AuditLine, len(rows))
	for i, r := range rows {
		var err error
		if lines[i], err = r.Line(); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
