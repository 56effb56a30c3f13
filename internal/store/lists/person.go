package lists

import (
	"context"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// numbersOfItem are the keyed hashes of an item's recipient.
const numbersOfItem = `
	SELECT f.hash FROM items it
	CROSS JOIN LATERAL (SELECT m.recipient_hash AS hash FROM sms m WHERE m.item_id = it.id UNION ALL SELECT h.number_hash FROM shipments h WHERE h.item_id = it.id) f
	WHERE it.id = $1 AND it.account_id = $2 AND it.state <> 'draft' AND f.hash IS NOT NULL`

// SavePerson keeps, for a user, the look at everything that the account sent to an item's recipient, and records it in the event
// log with its purpose. Masked is how the recipient is shown. ErrNotFound when the item has no number. A user who has looked for too
// many numbers within the hour gets a problem, unless they give a reason.
func (s Searches) SavePerson(ctx context.Context, account dispatch.AccountID, item dispatch.ItemID, masked, purpose string, by store.Actor) (id string, refused *dispatch.Problem, err error) {
	if !store.ValidID(item) {
		return "", nil, store.ErrNotFound
	}
	var hashes [][]byte
	if err := s.DB.SelectContext(ctx, &hashes, numbersOfItem, item, account); err != nil {
		return "", nil, err
	}
	if len(hashes) == 0 {
		return "", nil, store.ErrNotFound
	}
	return s.savePerson(ctx, account, Search{Shown: masked, Numbers: hashes}, string(item), purpose, by)
}

// SavePersonFound is SavePerson for the number of a search of the user's.
func (s Searches) SavePersonFound(ctx context.Context, account dispatch.AccountID, search, purpose string, by store.Actor) (id string, refused *dispatch.Problem, err error) {
	found, err := s.ByID(ctx, account, by.User, search)
	if err == nil && !found.Person {
		err = store.ErrNotFound
	}
	if err != nil {
		return "", nil, err
	}
	return s.savePerson(ctx, account, found, "", purpose, by)
}

func (s Searches) savePerson(ctx context.Context, account dispatch.AccountID, of Search, object, purpose string, by store.Actor) (id string, refused *dispatch.Problem, err error) {
	kept := Search{Shown: of.Shown, Person: true, Numbers: of.Numbers, Purpose: purpose}
	return s.keep(ctx, kept, by, store.Audit{Actor: by.User, Account: account, Action: "list.person", Object: object, Details: map[string]any{"purpose": purpose}, Origin: by.Origin})
}

// Person sums up what an account sent to one recipient over a channel.
type Person struct {
	Kind   dispatch.Kind `db:"kind"`
	N      int           `db:"n"`
	Failed int           `db:"failed"`
	First  time.Time     `db:"first"`
	Last   time.Time     `db:"last"`
}

// Person sums up the items of a person's search that the viewer may see, by channel; drafts are left out, as lists do. Not prepared:
// a plan made for a number with few items would be kept for one with many.
func (s Searches) Person(ctx context.Context, account dispatch.AccountID, viewer dispatch.UserID, q Search) (sums []Person, err error) {
	err = s.DB.SelectContext(ctx, &sums, `
		SELECT it.kind, count(*) AS n, count(*) FILTER (WHERE it.state IN ('rejected', 'failed') OR it.state = 'accepted' AND r.bad) AS failed,
		       min(it.created_at) AS first, max(it.created_at) AS last
		FROM (SELECT m.item_id, m.protected_id FROM sms m WHERE m.account_id = $1 AND m.recipient_hash = ANY($2)
		      UNION ALL
		      SELECT h.item_id, h.protected_id FROM shipments h WHERE h.account_id = $1 AND h.number_hash = ANY($2)) f
		JOIN items it ON it.id = f.item_id
		LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
		WHERE it.state <> 'draft' AND `+maySee("f", "$3")+`
		GROUP BY it.kind ORDER BY it.kind`, account, pq.ByteaArray(q.Numbers), store.Null(viewer))
	return sums, err
}
