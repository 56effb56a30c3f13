package lists

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// followUpRow is a row of follow_ups with users' names.
type followUpRow struct {
	ItemID dispatch.ItemID `db:"item_id"`
	Cause  dispatch.Cause  `db:"cause"`
	Since  time.Time       `db:"since"`
	Owner  dispatch.UserID `db:"owner_id"`
	Name   string          `db:"owner_name"`
	DueOn  string          `db:"due_on"`
	Note   []byte          `db:"note"`
	DoneAt *time.Time      `db:"done_at"`
	DoneBy string          `db:"done_name"`
	Reason []byte          `db:"reason"`
}

const (
	followUpColumns = `
	f.item_id, f.cause, f.since, coalesce(f.owner_id::text, '') AS owner_id, coalesce(o.name, '') AS owner_name,
	coalesce(f.due_on::text, '') AS due_on, f.note, f.done_at, coalesce(d.name, '') AS done_name, f.reason`
	followUpJoins = `
	LEFT JOIN users o ON o.id = f.owner_id
	LEFT JOIN users d ON d.id = f.done_by`
)

func (s FollowUps) openFollowUp(r followUpRow) (dispatch.FollowUp, error) {
	f := dispatch.FollowUp{Cause: r.Cause, Since: r.Since, Owner: r.Owner, Name: r.Name, DoneAt: store.Deref(r.DoneAt), DoneBy: r.DoneBy}
	if day, err := time.ParseInLocation(time.DateOnly, r.DueOn, dispatch.Oslo); err == nil {
		f.Due = day
	}
	var err error
	if f.Note, err = s.OpenText(r.Note, store.NotePlace(r.ItemID)); err != nil {
		return f, err
	}
	f.Reason, err = s.OpenText(r.Reason, store.ReasonPlace(r.ItemID))
	return f, err
}

// ByID returns an item's follow-up; its cause is empty when there is none.
func (s FollowUps) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.FollowUp, error) {
	var rows []followUpRow
	err := s.Select(ctx, &rows, `
		SELECT `+followUpColumns+` FROM follow_ups f`+followUpJoins+`
		WHERE f.item_id = $1 AND f.account_id = $2 AND f.ended_at IS NULL`, id, account)
	if err != nil || len(rows) == 0 {
		return dispatch.FollowUp{}, err
	}
	return s.openFollowUp(rows[0])
}

// FollowUpsMost bounds counting; beyond it the page says "more than".
const FollowUpsMost = 1000

// Counts counts an account's open follow-ups by cause, at most FollowUpsMost of each.
func (s FollowUps) Counts(ctx context.Context, account dispatch.AccountID) (map[dispatch.Cause]int, error) {
	var rows []struct {
		Cause dispatch.Cause `db:"cause"`
		N     int            `db:"n"`
	}
	err := s.Select(ctx, &rows, `
		SELECT c.cause, n.n FROM unnest($2::text[]) AS c (cause)
		CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
			SELECT FROM follow_ups f WHERE f.account_id = $1 AND f.cause = c.cause AND f.ended_at IS NULL AND f.done_at IS NULL
			LIMIT `+fmt.Sprint(FollowUpsMost)+`) found) n
		WHERE n.n > 0`, account, pq.Array(dispatch.Causes()))
	counts := map[dispatch.Cause]int{}
	for _, r := range rows {
		counts[r.Cause] = r.N
	}
	return counts, err
}

// sentBy is the condition that a user has sent the item of a follow-up.
const sentBy = ` AND EXISTS (SELECT FROM items s WHERE s.id = f.item_id AND s.created_by = $%d)`

// Waits counts an account's open follow-ups by cause, at most FollowUpsMost of each, with the oldest; of what a sender
// has sent, if one is given.
func (s FollowUps) Waits(ctx context.Context, account dispatch.AccountID, sender dispatch.UserID) (map[dispatch.Cause]dispatch.Waits, error) {
	own, arguments := "", []any{account, pq.Array(dispatch.Causes())}
	if sender != "" {
		own, arguments = fmt.Sprintf(sentBy, 3), append(arguments, sender)
	}
	var rows []struct {
		Cause dispatch.Cause `db:"cause"`
		N     int            `db:"n"`
		Since time.Time      `db:"since"`
	}
	err := s.Select(ctx, &rows, `
		SELECT c.cause, n.n, n.since FROM unnest($2::text[]) AS c (cause)
		CROSS JOIN LATERAL (SELECT count(*) AS n, min(since) AS since FROM (
			SELECT f.since FROM follow_ups f WHERE f.account_id = $1 AND f.cause = c.cause AND f.ended_at IS NULL AND f.done_at IS NULL`+own+`
			ORDER BY f.since LIMIT `+fmt.Sprint(FollowUpsMost)+`) found) n
		WHERE n.n > 0`, arguments...)
	found := map[dispatch.Cause]dispatch.Waits{}
	for _, r := range rows {
		found[r.Cause] = dispatch.Waits{N: r.N, Above: r.N >= FollowUpsMost, Since: r.Since}
	}
	return found, err
}

// followUpBadge bounds the number in the navigation.
const followUpBadge = 100

// openFollowUps are the open follow-ups of the account $1, up to followUpBadge.
var openFollowUps = fmt.Sprintf(`SELECT FROM follow_ups f WHERE f.account_id = $1 AND f.ended_at IS NULL AND f.done_at IS NULL LIMIT %d`, followUpBadge)

// Badge counts an account's open follow-ups, at most followUpBadge.
func (s FollowUps) Badge(ctx context.Context, account dispatch.AccountID) (int, error) {
	var n int
	err := s.Get(ctx, &n, `SELECT count(*) FROM (`+openFollowUps+`) found`, account)
	return n, err
}

// FollowUpFilter filters the list of follow-ups.
type FollowUpFilter struct {
	Cause  dispatch.Cause  // empty: any
	Owner  dispatch.UserID // empty: any
	Free   bool            // without an owner only
	Sender dispatch.UserID // of what this user has sent; empty: any
	Search *Search         // nil: no search
	Viewer dispatch.UserID // who searches
	Away   dispatch.UserID // what absent colleagues sent or have taken, whom this user stands in for; empty: any
}

func (f FollowUpFilter) clause(arguments []any) (string, []any) {
	clause, arguments := f.found(arguments)
	if f.Cause != "" {
		arguments = append(arguments, f.Cause)
		clause += fmt.Sprintf(` AND f.cause = $%d`, len(arguments))
	}
	switch {
	case f.Owner != "":
		arguments = append(arguments, f.Owner)
		clause += fmt.Sprintf(` AND f.owner_id = $%d`, len(arguments))
	case f.Free:
		clause += ` AND f.owner_id IS NULL`
	case f.Sender != "":
		arguments = append(arguments, f.Sender)
		clause += fmt.Sprintf(sentBy, len(arguments))
	case f.Away != "":
		arguments = append(arguments, f.Away)
		clause += fmt.Sprintf(` AND EXISTS (SELECT FROM absences b WHERE b.account_id = f.account_id AND b.deputy_id = $%d AND b.until >= (now() AT TIME ZONE 'Europe/Oslo')::date
			AND b.user_id = coalesce(f.owner_id, (SELECT created_by FROM items WHERE id = f.item_id)))`, len(arguments))
	}
	return clause, arguments
}

// found is the condition of the search. The account is the first of the arguments. Items of protected people whom the viewer may not
// see are not found.
func (f FollowUpFilter) found(arguments []any) (string, []any) {
	if f.Search == nil {
		return "", arguments
	}
	q := &listQuery{arguments: arguments}
	viewer := q.add(store.Null(f.Viewer))
	var parts []string
	part := func(of, table string, where []string) {
		parts = append(parts, `SELECT `+of+`.item_id FROM `+table+` `+of+` JOIN items it ON it.id = `+of+`.item_id WHERE `+of+`.account_id = $1 AND `+
			maySee(of, viewer)+` AND `+strings.Join(where, " AND "))
	}
	if f.Search.ofSMS() {
		part("m", "sms", f.Search.sms(q))
	}
	if f.Search.ofShipments() {
		part("h", "shipments", f.Search.shipments(q))
	}
	if len(parts) == 0 {
		return " AND false", arguments
	}
	return ` AND f.item_id IN (` + strings.Join(parts, " UNION ALL ") + `)`, q.arguments
}

type followedRow struct {
	store.ItemRow
	followUpRow
	ByPhone   *bool                   `db:"by_phone"`
	Number    []byte                  `db:"number"`
	Text      []byte                  `db:"text"`
	Hide      *bool                   `db:"hide_in_report"`
	Title     *string                 `db:"title"`
	Recipient *string                 `db:"recipient_name"`
	Signing   *dispatch.SigningStatus `db:"signing_status"`
	SignBy    *time.Time              `db:"sign_by"`
	Protected *string                 `db:"protected"`
	Numbered  bool                    `db:"numbered"`
}

const selectFollowed = `
	SELECT ` + store.ItemColumns + `, ` + followUpColumns + `, m.by_phone, m.recipient AS number, m.text, m.hide_in_report,
	       h.title, h.recipient_name, h.signing_status, h.sign_by, coalesce(m.protected_id, h.protected_id)::text AS protected,
	       h.number_hash IS NOT NULL OR m.recipient IS NOT NULL AS numbered
	FROM follow_ups f
	JOIN items it ON it.id = f.item_id` + store.ItemJoins + followUpJoins + `
	LEFT JOIN sms m ON m.item_id = it.id
	LEFT JOIN shipments h ON h.item_id = it.id
	WHERE f.account_id = $1 AND f.ended_at IS NULL AND f.done_at IS NULL`

// List returns one page of an account's open follow-ups, and whether older or newer ones follow.
func (s FollowUps) List(ctx context.Context, account dispatch.AccountID, f FollowUpFilter, w store.Page) (list []dispatch.FollowedItem, older, newer bool, err error) {
	clause, arguments := f.clause([]any{account})
	bounds, arguments := w.ClauseBy("f.since", "f.item_id", arguments...)
	var rows []followedRow
	read := s.Select
	if f.Search != nil { // how rare the words are decides the plan
		read = s.DB.SelectContext
	}
	if err := read(ctx, &rows, selectFollowed+clause+bounds, arguments...); err != nil {
		return nil, false, false, err
	}
	rows, older, newer = store.TrimPage(w, rows)
	list, err = s.openFollowed(ctx, rows)
	return list, older, newer, err
}

func (s FollowUps) openFollowed(ctx context.Context, rows []followedRow) ([]dispatch.FollowedItem, error) {
	list := make([]dispatch.FollowedItem, len(rows))
	for i, r := range rows {
		followUp, err := s.openFollowUp(r.followUpRow)
		if err != nil {
			return nil, fmt.Errorf("follow-ups: %w", err)
		}
		list[i] = dispatch.FollowedItem{Item: r.Domain(), FollowUp: followUp, Title: text(r.Title), Recipient: text(r.Recipient), SignBy: store.Deref(r.SignBy), Protected: dispatch.ProtectedID(text(r.Protected)), Numbered: r.Numbered}
		if r.Signing != nil {
			list[i].Signing = *r.Signing
		}
		if r.ByPhone == nil {
			continue
		}
		if list[i].SMS, err = s.OpenSMS(store.SMSRow{ItemRow: r.ItemRow, ByPhone: *r.ByPhone, Recipient: r.Number, Text: r.Text, HideInReport: *r.Hide}); err != nil {
			return nil, fmt.Errorf("follow-ups: %w", err)
		}
	}
	return list, s.hideFollowed(ctx, list)
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

// Handle applies a user's handling to the follow-up of an item of an account. ErrChanged when nobody has to follow it up any more, or somebody
// else has taken it; ErrProtected when its new owner may not see its recipient.
func (s FollowUps) Handle(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, h dispatch.Handling, by store.Actor) error {
	if !store.ValidID(id) {
		return store.ErrChanged
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return s.handle(ctx, tx, account, id, h, by) })
}

// mayOwn returns ErrProtected if the new owner of an item's follow-up may not see its recipient. The row is locked before that is asked:
// a protection that is set meanwhile waits, and takes it from them.
func mayOwn(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, h dispatch.Handling, by dispatch.UserID) error {
	var owner []dispatch.UserID
	err := tx.SelectContext(ctx, &owner, `
		SELECT CASE $3 WHEN 'me' THEN $4::uuid WHEN 'other' THEN $5::uuid ELSE it.created_by END FROM follow_ups f JOIN items it ON it.id = f.item_id
		WHERE f.item_id = $1 AND f.account_id = $2 AND $3 IN ('me', 'sender', 'other') FOR UPDATE OF f`, id, account, h.Owner, by, store.Null(h.To))
	if err != nil || len(owner) == 0 {
		return err
	}
	var shown bool
	if err := tx.GetContext(ctx, &shown, `SELECT `+store.ShownTo("$1::uuid", "$2::uuid"), id, owner[0]); err != nil || shown {
		return err
	}
	return store.ErrProtected
}

func (s FollowUps) handle(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, h dispatch.Handling, by store.Actor) error {
	if err := mayOwn(ctx, tx, account, id, h, by.User); err != nil {
		return err
	}
	note, err := s.SealText(h.Note, store.NotePlace(id))
	if err != nil {
		return err
	}
	reason, err := s.SealText(h.Reason, store.ReasonPlace(id))
	if err != nil {
		return err
	}
	var handled []struct {
		Cause dispatch.Cause `db:"cause"`
		Owner string         `db:"owner"`
	}
	err = tx.SelectContext(ctx, &handled, `
		UPDATE follow_ups f SET
		    owner_id = CASE $3 WHEN 'me' THEN $4::uuid WHEN 'sender' THEN (SELECT created_by FROM items WHERE id = f.item_id)
		               WHEN 'other' THEN $11::uuid WHEN 'nobody' THEN NULL ELSE f.owner_id END,
		    due_on = CASE WHEN $5 THEN f.due_on ELSE $6::date END,
		    note = coalesce($7, f.note),
		    done_at = CASE WHEN $8 THEN now() END, done_by = CASE WHEN $8 THEN $4::uuid END, reason = CASE WHEN $8 THEN $9::bytea END
		WHERE f.item_id = $1 AND f.account_id = $2 AND f.ended_at IS NULL AND f.done_at IS NULL AND (NOT $10 OR f.owner_id IS NULL)
		RETURNING f.cause, coalesce(f.owner_id::text, $12) AS owner`,
		id, account, h.Owner, by.User, h.KeepDue, nullDay(h.Due), store.NullBytes(note), h.Done, store.NullBytes(reason), h.IfFree, store.Null(h.To), dispatch.OwnerNobody)
	if err != nil {
		return err
	}
	if len(handled) == 0 {
		return store.ErrChanged
	}
	e := store.Event{Item: id, Account: account, Kind: dispatch.EventAssigned, Actor: by.User}
	details := map[string]any{"cause": handled[0].Cause}
	switch {
	case h.Done:
		e.Kind = dispatch.EventFollowedUp
	case h.Owner != dispatch.OwnerKeep:
		e.Detail, details["owner"] = handled[0].Owner, handled[0].Owner
	}
	if err := store.AddEvent(ctx, tx, e); err != nil {
		return err
	}
	return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: account, Action: "item." + string(e.Kind), Object: string(id), Details: details, Origin: by.Origin})
}

func nullDay(day time.Time) *string {
	if day.IsZero() {
		return nil
	}
	text := day.In(dispatch.Oslo).Format(time.DateOnly)
	return &text
}

// sweptAtOnce bounds one statement of the sweep.
const sweptAtOnce = 1000

// Sweep opens follow-ups whose cause is the passing of a deadline, and returns how many.
func (s FollowUps) Sweep(ctx context.Context) (int, error) {
	total, failed := 0, error(nil)
	for {
		var items []string
		if err := s.DB.SelectContext(ctx, &items, sweepFollowUps, sweptAtOnce, pq.Array(dispatch.CausesAfter(dispatch.CauseSigning))); err != nil {
			return total, errors.Join(failed, err)
		}
		err := s.Bisect(ctx, dispatch.QueueFollowUps, items, func(ctx context.Context, items []string) error {
			_, err := s.DB.ExecContext(ctx, `SELECT keep_follow_up(id) FROM unnest($1::uuid[]) AS i (id)`, pq.Array(items))
			return err
		})
		failed = errors.Join(failed, err)
		if err != nil && !store.OwnFault(ctx, err) {
			return total, failed
		}
		if total += len(items); len(items) < sweptAtOnce {
			return total, failed
		}
	}
}

// sweepFollowUps selects the items of both causes that come with time, except those with an open follow-up of that
// cause or one of higher rank; $2 are those of lower rank than signing.
var sweepFollowUps = `
	WITH come AS (
		SELECT it.id FROM accounts a JOIN items it ON it.account_id = a.id
		WHERE it.state = 'queued' AND it.due_since <= now() - max_wait() AND NOT EXISTS (` + knownFollowUp + `)
		UNION
		SELECT it.id FROM shipments h JOIN items it ON it.id = h.item_id
		WHERE h.sign_by <= now() + interval '2 days' AND h.signing_status = ANY(ARRAY(SELECT g.status FROM signing_statuses g WHERE g.awaited)) AND it.state = 'accepted'
		  AND NOT EXISTS (` + knownFollowUp + ` AND f.cause <> ALL($2))
	)
	SELECT it.id::text FROM come JOIN items it ON it.id = come.id CROSS JOIN LATERAL follow_up_of(it) w
	WHERE NOT ` + store.SkippedNow(dispatch.QueueFollowUps, "it.id") + ` LIMIT $1`

const knownFollowUp = `SELECT FROM follow_ups f WHERE f.item_id = it.id AND f.ended_at IS NULL`

// Drift counts items whose stored follow-up differs from the computed one: zero after a sweep.
func (s FollowUps) Drift(ctx context.Context) (int, error) {
	var n int
	err := s.DB.GetContext(ctx, &n, `
		SELECT count(*)
		FROM (SELECT it.id, w.cause, w.since FROM items it CROSS JOIN LATERAL follow_up_of(it) w) t
		FULL JOIN (SELECT item_id, cause, since FROM follow_ups WHERE ended_at IS NULL) f ON f.item_id = t.id
		WHERE (t.cause, t.since) IS DISTINCT FROM (f.cause, f.since)`)
	return n, err
}

// hideFollowed does the same for follow-ups.
func (s FollowUps) hideFollowed(ctx context.Context, list []dispatch.FollowedItem) error {
	var people []dispatch.ProtectedID
	for i := range list {
		if list[i].Protected != "" {
			people = append(people, list[i].Protected)
		}
	}
	hidden, err := s.hiddenFrom(ctx, people)
	for i := range list {
		if hidden[list[i].Protected] {
			list[i].Hide()
		}
	}
	return err
}
