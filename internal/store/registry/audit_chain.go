package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Link is a place in the chain of the event log, as it may be written down elsewhere and compared later.
type Link struct {
	Position int64
	Hash     []byte
}

// String is the place as people write it down.
func (l Link) String() string { return fmt.Sprintf("%d:%s", l.Position, hex.EncodeToString(l.Hash)) }

// ParseLink reads a place as String writes it.
func ParseLink(text string) (Link, error) {
	var l Link
	var digits string
	if n, err := fmt.Sscanf(text, "%d:%s", &l.Position, &digits); err != nil || n != 2 {
		return l, errors.New("a place in the chain is written as POSITION:HASH")
	}
	var err error
	if l.Hash, err = hex.DecodeString(digits); err != nil || len(l.Hash) != sha256.Size || l.Position < 1 {
		return l, errors.New("a place in the chain is written as POSITION:HASH")
	}
	return l, nil
}

// auditFact is everything that a line of the log says, as it is hashed.
type auditFact struct {
	ID      int64  `db:"id"`
	At      int64  `db:"at"` // microseconds since 1970
	Actor   string `db:"actor_id"`
	Account string `db:"account_id"`
	Action  string `db:"action"`
	Object  string `db:"object_id"`
	Details string `db:"details"` // jsonb writes it one way only
	Origin  string `db:"origin"`

	ActorName   string `db:"actor_name"`
	AccountName string `db:"account_name"`
	SignIn      string `db:"sign_in_id"`
}

// chainForm is what the hashes of new places hold. Those of form 1 were made before lines had names and a login, or by an
// earlier release beside us.
const chainForm = 2

const auditFacts = `e.id, (extract(epoch FROM e.at) * 1000000)::bigint AS at, coalesce(e.actor_id::text, '') AS actor_id,
	coalesce(e.account_id::text, '') AS account_id, e.action, coalesce(e.object_id::text, '') AS object_id, e.details::text AS details, e.origin,
	e.actor_name, e.account_name, coalesce(e.sign_in_id::text, '') AS sign_in_id`

// after is the hash of the line in a form when the one before has a hash. Each part stands with its length, so that nothing can be
// moved from one into the next.
func (f auditFact) after(before []byte, form int) []byte {
	h := sha256.New()
	number := func(n int64) { _ = binary.Write(h, binary.BigEndian, n) } // a hash takes everything
	h.Write(before)
	number(f.ID)
	number(f.At)
	parts := []string{f.Actor, f.Account, f.Action, f.Object, f.Details, f.Origin}
	if form >= 2 {
		parts = append(parts, f.ActorName, f.AccountName, f.SignIn)
	}
	for _, part := range parts {
		number(int64(len(part)))
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// chainLock is held by the process that chains.
const chainLock = `SELECT pg_try_advisory_xact_lock(hashtext('audit_chain'))`

// chainedAtOnce is how many lines are chained in one transaction.
const chainedAtOnce = 1000

// ChainAudit chains the lines of the event log that are not yet, of those written since a time, and returns how many. One
// process does it at a time; to the others there is nothing to do.
func (s *Store) ChainAudit(ctx context.Context, since time.Time) (int, error) {
	for all := 0; ; {
		n := 0
		err := s.InTx(ctx, func(tx *sqlx.Tx) (err error) {
			n, err = chain(ctx, tx, `e.at >= $1`, since)
			return err
		})
		if store.OwnFault(ctx, err) {
			return all, s.chainApart(ctx, since)
		}
		if all += n; err != nil || n < chainedAtOnce {
			return all, err
		}
	}
}

// chainApart chains lines where one of them cannot be: that one is set aside, and the verification tells that it is in no chain.
func (s *Store) chainApart(ctx context.Context, since time.Time) error {
	var lines []string
	err := s.DB.SelectContext(ctx, &lines, `
		SELECT e.id::text FROM audit_events e
		WHERE e.at >= $1 AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = e.id) AND NOT `+store.SkippedNow(dispatch.QueueChain, "e.id")+`
		ORDER BY e.id LIMIT $2`, since, chainedAtOnce)
	if err != nil {
		return err
	}
	return s.Bisect(ctx, dispatch.QueueChain, lines, func(ctx context.Context, lines []string) error {
		return s.InTx(ctx, func(tx *sqlx.Tx) error {
			_, err := chain(ctx, tx, `e.id = ANY($1::bigint[])`, pq.Array(lines))
			return err
		})
	})
}

// chain chains those of the lines that a condition on $1 chooses which are in no chain yet.
func chain(ctx context.Context, tx *sqlx.Tx, which string, argument any) (int, error) {
	var ours bool
	if err := tx.GetContext(ctx, &ours, chainLock); err != nil || !ours {
		return 0, err
	}
	var facts []auditFact
	err := tx.SelectContext(ctx, &facts, `
		SELECT `+auditFacts+`
		FROM audit_events e
		WHERE `+which+` AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = e.id)
		ORDER BY e.id
		LIMIT $2`, argument, chainedAtOnce)
	if err != nil || len(facts) == 0 {
		return 0, err
	}
	last, err := lastLink(ctx, tx)
	if err != nil {
		return 0, err
	}
	return len(facts), addLinks(ctx, tx, last, facts)
}

// addLinks puts lines at the end of the chain.
func addLinks(ctx context.Context, tx *sqlx.Tx, last Link, facts []auditFact) error {
	var positions, ids []int64
	var hashes [][]byte
	for _, f := range facts {
		last = Link{last.Position + 1, f.after(last.Hash, chainForm)}
		positions, ids, hashes = append(positions, last.Position), append(ids, f.ID), append(hashes, last.Hash)
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO audit_chain (position, audit_id, hash, form) SELECT *, $4 FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])`,
		pq.Array(positions), pq.Array(ids), pq.ByteaArray(hashes), chainForm)
	return err
}

// lastLink is the end of the chain: of an empty one, what was purged last, or nothing.
func lastLink(ctx context.Context, db sqlx.QueryerContext) (Link, error) {
	var l Link
	err := db.QueryRowxContext(ctx, `
		SELECT position, hash FROM (SELECT position, hash FROM audit_chain UNION ALL SELECT position, hash FROM audit_anchors) l
		ORDER BY position DESC LIMIT 1`).Scan(&l.Position, &l.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return Link{}, nil
	}
	return l, err
}

// Break is one thing that is wrong with the chain.
type Break struct {
	Kind     BreakKind
	Position int64 // in the chain; 0: the line is in none
	Audit    int64 // the line's number; 0: not known
}

// BreakKind says what is wrong.
type BreakKind string

// What can be wrong with the chain.
const (
	BreakChanged   BreakKind = "changed"   // the line, its place or its hash is another than it was
	BreakRemoved   BreakKind = "removed"   // the line is gone
	BreakGap       BreakKind = "gap"       // places of the chain are gone
	BreakBackdated BreakKind = "backdated" // the line says that it is older than one that was chained long before it
	BreakUnchained BreakKind = "unchained" // an older line that the chain does not hold
	BreakExpected  BreakKind = "expected"  // the chain is another than the one that was written down
	BreakPurged    BreakKind = "purged"    // a place that was written down lies in what is said to have been purged
)

// Verification is what came of holding the log against its chain.
type Verification struct {
	Lines    int64 // that were held against it
	First    int64 // the first place; more than 1: what came before has been purged
	Last     Link
	Unproved int64   // that name a person and no login of theirs
	Waiting  int64   // newest lines that are not chained yet
	Breaks   []Break // at most breaksMost
	At       time.Time
}

// Whole tells whether nothing is wrong.
func (v Verification) Whole() bool { return len(v.Breaks) == 0 }

const (
	breaksMost = 20
	// chainWithin is how soon a line is chained where all is well, with room for a pause of the whole service.
	chainWithin = 10 * time.Minute
)

// VerifyAudit holds the whole event log against its chain, and the chain against places that were written down before. It
// sees the database as it is at one moment.
func (s *Store) VerifyAudit(ctx context.Context, noted ...Link) (Verification, error) {
	tx, err := s.DB.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	v := verifier{noted: noted}
	for _, step := range []func(context.Context, *sqlx.Tx) error{v.begin, v.follow, v.unchained} {
		if err := step(ctx, tx); err != nil {
			return v.Verification, fmt.Errorf("verify the event log: %w", err)
		}
	}
	for _, n := range v.noted {
		v.wrong(Break{Kind: v.unreached(n), Position: n.Position})
	}
	return v.Verification, nil
}

// verifier goes through the chain.
type verifier struct {
	Verification
	noted  []Link
	newest int64 // time of the youngest line so far, in microseconds
}

func (v *verifier) wrong(b Break) {
	if len(v.Breaks) < breaksMost {
		v.Breaks = append(v.Breaks, b)
	}
}

// unreached says why a place that was written down was found nowhere. What has been purged can be compared with nothing, and
// anybody who owns the log can say that of any line: it is whole only for who wrote down a younger place.
func (v *verifier) unreached(n Link) BreakKind {
	if n.Position < v.First {
		return BreakPurged
	}
	return BreakExpected
}

// begin finds where the chain starts. The last line of each purge is known, and compared.
func (v *verifier) begin(ctx context.Context, tx *sqlx.Tx) error {
	var anchors []Link
	err := tx.SelectContext(ctx, &anchors, `SELECT position, hash FROM audit_anchors ORDER BY position`)
	for _, v.Last = range anchors {
		v.compare()
	}
	v.First = v.Last.Position + 1
	if err != nil {
		return err
	}
	return tx.GetContext(ctx, &v.At, `SELECT now()`)
}

// follow hashes each line again, in the order of the chain.
func (v *verifier) follow(ctx context.Context, tx *sqlx.Tx) error {
	rows, err := tx.QueryxContext(ctx, `
		SELECT c.position, c.audit_id, c.hash, c.form, e.id IS NULL AS gone, coalesce(e.id, 0) AS id,
		       coalesce((extract(epoch FROM e.at) * 1000000)::bigint, 0) AS at, coalesce(e.actor_id::text, '') AS actor_id,
		       coalesce(e.account_id::text, '') AS account_id, coalesce(e.action, '') AS action, coalesce(e.object_id::text, '') AS object_id,
		       coalesce(e.details::text, '') AS details, coalesce(e.origin, '') AS origin, coalesce(e.actor_name, '') AS actor_name,
		       coalesce(e.account_name, '') AS account_name, coalesce(e.sign_in_id::text, '') AS sign_in_id
		FROM audit_chain c
		LEFT JOIN audit_events e ON e.id = c.audit_id
		ORDER BY c.position`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var l chainedFact
		if err := rows.StructScan(&l); err != nil {
			return err
		}
		v.link(l)
	}
	return rows.Err()
}

// chainedFact is a place in the chain with what stands in the log now.
type chainedFact struct {
	Position int64  `db:"position"`
	AuditID  int64  `db:"audit_id"`
	Hash     []byte `db:"hash"`
	Form     int    `db:"form"`
	Gone     bool   `db:"gone"`
	auditFact
}

// link looks at one place of the chain. It goes on with the hash that stands there, so that one break is told once.
func (v *verifier) link(l chainedFact) {
	switch {
	case l.Position != v.Last.Position+1:
		v.wrong(Break{BreakGap, v.Last.Position + 1, 0})
	case l.Gone:
		v.wrong(Break{BreakRemoved, l.Position, l.AuditID})
	case !bytes.Equal(l.after(v.Last.Hash, l.Form), l.Hash):
		v.wrong(Break{BreakChanged, l.Position, l.AuditID})
	case l.At < v.newest-chainWithin.Microseconds():
		v.wrong(Break{BreakBackdated, l.Position, l.AuditID})
	}
	v.newest = max(v.newest, l.At)
	if l.Form >= 2 && l.Actor != "" && l.SignIn == "" {
		v.Unproved++
	}
	v.Lines++
	v.Last = Link{l.Position, l.Hash}
	v.compare()
}

// compare holds the place that was reached against the ones written down, and forgets those.
func (v *verifier) compare() {
	kept := v.noted[:0:0]
	for _, n := range v.noted {
		switch {
		case n.Position != v.Last.Position:
			kept = append(kept, n)
		case !bytes.Equal(n.Hash, v.Last.Hash):
			v.wrong(Break{Kind: BreakExpected, Position: n.Position})
		}
	}
	v.noted = kept
}

// unchained finds lines that the chain does not hold: new ones wait, older ones were put in behind its back.
func (v *verifier) unchained(ctx context.Context, tx *sqlx.Tx) error {
	var old []int64
	err := tx.SelectContext(ctx, &old, `
		SELECT e.id FROM audit_events e
		WHERE e.at < now() - $1 * interval '1 second' AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = e.id)
		ORDER BY e.id LIMIT 20`, chainWithin.Seconds())
	for _, id := range old {
		v.wrong(Break{Kind: BreakUnchained, Audit: id})
	}
	if err != nil {
		return err
	}
	return tx.GetContext(ctx, &v.Waiting, `
		SELECT count(*) FROM audit_events e
		WHERE e.at >= now() - $1 * interval '1 second' AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.audit_id = e.id)`, chainWithin.Seconds())
}

// AuditEnd returns the end of the chain.
func (s *Store) AuditEnd(ctx context.Context) (Link, error) { return lastLink(ctx, s.DB) }
