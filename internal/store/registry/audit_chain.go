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

// Link is a position in the event log's hash chain, which can be noted elsewhere and compared later.
type Link struct {
	Position int64
	Hash     []byte
}

// String formats the link for noting it.
func (l Link) String() string { return fmt.Sprintf("%d:%s", l.Position, hex.EncodeToString(l.Hash)) }

// ParseLink parses the result of String.
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

// auditFact is everything in a line of the log that is hashed.
type auditFact struct {
	ID      int64  `db:"id"`
	At      int64  `db:"at"` // microseconds since 1970
	Actor   string `db:"actor_id"`
	Account string `db:"account_id"`
	Action  string `db:"action"`
	Object  string `db:"object_id"`
	Details string `db:"details"` // jsonb has a canonical text form
	Origin  string `db:"origin"`

	ActorName   string `db:"actor_name"`
	AccountName string `db:"account_name"`
	SignIn      string `db:"sign_in_id"`
}

// chainForm is the current format of the hash's input. Form 1 predates names and sessions in lines, or comes from an
// earlier release running beside us.
const chainForm = 2

const auditFacts = `e.id, (extract(epoch FROM e.at) * 1000000)::bigint AS at, coalesce(e.actor_id::text, '') AS actor_id,
	coalesce(e.account_id::text, '') AS account_id, e.action, coalesce(e.object_id::text, '') AS object_id, e.details::text AS details, e.origin,
	e.actor_name, e.account_name, coalesce(e.sign_in_id::text, '') AS sign_in_id`

// after hashes the line, in a form, after the previous hash. Each field has a length prefix, so that nothing can be
// moved between fields.
func (f auditFact) after(before []byte, form int) []byte {
	h := sha256.New()
	number := func(n int64) { _ = binary.Write(h, binary.BigEndian, n) } // a hash's Write never fails
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

// chainedAtOnce is how many lines one transaction chains.
const chainedAtOnce = 1000

// Chain chains new lines of the event log, among those written since a time, and returns how many. One process
// does it at a time; the others return at once.
func (s Audit) Chain(ctx context.Context, since time.Time) (int, error) {
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

// chainApart chains one by one where a line cannot be chained: that one is set aside, and the verification reports it
// as unchained.
func (s Audit) chainApart(ctx context.Context, since time.Time) error {
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

// chain chains the unchained lines that match a condition on $1.
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

// addLinks appends lines to the chain.
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

// lastLink is the end of the chain; of an empty chain the last purged link, or zero.
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

// Break is an inconsistency of the chain.
type Break struct {
	Kind     BreakKind
	Position int64 // in the chain; 0: the line is not in it
	Audit    int64 // the line's number; 0: not known
}

// BreakKind is the kind of inconsistency.
type BreakKind string

// The kinds of inconsistency.
const (
	BreakChanged   BreakKind = "changed"   // the line, its position or its hash was changed
	BreakRemoved   BreakKind = "removed"   // the line was removed
	BreakGap       BreakKind = "gap"       // positions are missing
	BreakBackdated BreakKind = "backdated" // the line claims to be older than one that was chained long before it
	BreakUnchained BreakKind = "unchained" // an older line that is not in the chain
	BreakExpected  BreakKind = "expected"  // the chain differs from a noted link
	BreakPurged    BreakKind = "purged"    // a noted link lies in what is said to have been purged
)

// Verification is the result of verifying the log against its chain.
type Verification struct {
	Lines    int64 // verified
	First    int64 // the first position; more than 1: earlier ones were purged
	Last     Link
	Unproved int64   // lines that name a user without a session as proof
	Waiting  int64   // newest lines that are not chained yet
	Breaks   []Break // at most breaksMost
	At       time.Time
}

// Whole tells whether no inconsistency was found.
func (v Verification) Whole() bool { return len(v.Breaks) == 0 }

const (
	breaksMost = 20
	// chainWithin is how soon a line is normally chained, with room for a pause of the whole service.
	chainWithin = 10 * time.Minute
)

// Verify verifies the whole event log against its chain, and the chain against links noted before, in one
// snapshot of the database.
func (s Audit) Verify(ctx context.Context, noted ...Link) (Verification, error) {
	tx, err := s.DB.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Verification{}, err
	}
	defer func() { _ = tx.Rollback() }() // read only
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

// verifier walks the chain.
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

// unreached tells why a noted link was not found. What has been purged cannot be compared, and the owner of the log
// can claim that of any line: the log is only proved whole by a younger noted link.
func (v *verifier) unreached(n Link) BreakKind {
	if n.Position < v.First {
		return BreakPurged
	}
	return BreakExpected
}

// begin finds the start of the chain. The last link of each purge is stored, and compared.
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

// chainedFact is a link of the chain with the line as it is now.
type chainedFact struct {
	Position int64  `db:"position"`
	AuditID  int64  `db:"audit_id"`
	Hash     []byte `db:"hash"`
	Form     int    `db:"form"`
	Gone     bool   `db:"gone"`
	auditFact
}

// link verifies one link. It goes on from the stored hash, so that one break is reported once.
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

// compare compares the current link with the noted ones at its position, and removes those.
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

// unchained finds lines outside the chain: new ones are waiting, older ones were inserted around it.
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

// LastLink returns the end of the chain.
func (s Audit) LastLink(ctx context.Context) (Link, error) { return lastLink(ctx, s.DB) }
