package registry

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Conditions reads what leads and operators are to be told of now, but for the rate of failures.
func (s Alarms) Conditions(ctx context.Context, now time.Time) (list []dispatch.Condition, err error) {
	var rows []struct {
		Kind        dispatch.AlarmKind     `db:"kind"`
		Integration dispatch.IntegrationID `db:"integration"`
		Since       time.Time              `db:"since"`
	}
	err = s.Select(ctx, &rows, `
		SELECT '`+string(dispatch.AlarmPaused)+`' AS kind, '' AS integration, paused_at AS since FROM delivery_guard WHERE paused_at IS NOT NULL
		UNION ALL SELECT '`+string(dispatch.AlarmStopped)+`', id::text, stopped_at FROM integrations WHERE stopped_at IS NOT NULL
		UNION ALL SELECT '`+string(dispatch.AlarmRefused)+`', id::text, refused_at FROM integrations WHERE refused_at IS NOT NULL`)
	if err != nil {
		return nil, err
	}
	var used []dispatch.IntegrationID
	err = s.Select(ctx, &used, `SELECT i.id FROM integrations i WHERE EXISTS (SELECT FROM accounts a WHERE i.id IN (a.sms_integration_id, a.shipment_integration_id))`)
	if err != nil {
		return nil, err
	}
	told := map[dispatch.IntegrationID]bool{} // "" when delivery is paused
	for _, r := range rows {
		told[r.Integration] = true
		list = append(list, dispatch.Condition{Kind: r.Kind, Integration: r.Integration, Since: r.Since})
	}
	back, err := s.fallenBack(ctx, now)
	if err != nil {
		return nil, err
	}
	list = append(list, back...)
	for i, c := range list {
		if c.Integration != "" && !slices.Contains(used, c.Integration) { // nothing waits
			list[i].Unused, list[i].Kept = true, true
		}
	}
	oldest, err := In(s.Store).Health.OldestDue(ctx)
	if err != nil {
		return nil, err
	}
	for id, since := range oldest {
		if waited := now.Sub(since); waited >= dispatch.QueueStands {
			list = append(list, dispatch.Condition{Kind: dispatch.AlarmQueue, Integration: id, Figure: int(waited.Minutes()), Kept: told[id] || told[""]})
		}
	}
	looks, err := s.protectedLooks(ctx, now)
	if err != nil {
		return nil, err
	}
	ending, err := s.deadlines(ctx, now)
	return slices.Concat(list, looks, ending), err
}

// standInProves is how long it takes at most until credentials that stand in for refused ones have worked or are refused too.
const standInProves = 5 * time.Minute

// fallenBack are the integrations that use credentials because the service refuses others. It is not said before they have worked, or
// that takes longer than it should: often both are refused at once.
func (s Alarms) fallenBack(ctx context.Context, now time.Time) (list []dispatch.Condition, err error) {
	all, err := In(s.Store).Credentials.AllSets(ctx)
	for id, sets := range all {
		since := dispatch.FallenBackSince(sets, now)
		worked := dispatch.SetOf(sets, dispatch.UsedSet(sets, now)).WorkedAt.After(since)
		if !since.IsZero() && (worked || now.Sub(since) > standInProves) {
			list = append(list, dispatch.Condition{Kind: dispatch.AlarmFallback, Integration: id, Since: since})
		}
	}
	return list, err
}

// protectedLooks are the accounts on which somebody opened a message to a protected person today: leads are told once a day.
func (s Alarms) protectedLooks(ctx context.Context, now time.Time) (list []dispatch.Condition, err error) {
	y, m, d := now.In(dispatch.Oslo).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, dispatch.Oslo)
	var rows []struct {
		Account dispatch.AccountID `db:"account_id"`
		Looks   int                `db:"looks"`
	}
	err = s.DB.SelectContext(ctx, &rows, `SELECT account_id, count(*) AS looks FROM protected_looks WHERE at >= $1 GROUP BY account_id`, day)
	for _, r := range rows {
		list = append(list, dispatch.Condition{Kind: dispatch.AlarmProtected, Account: r.Account, Figure: r.Looks, Step: day.Format(time.DateOnly)})
	}
	return list, err
}

// deadlines are the credentials in use and the certificates that end soon.
func (s Alarms) deadlines(ctx context.Context, now time.Time) (list []dispatch.Condition, err error) {
	var rows []struct {
		Kind        dispatch.AlarmKind     `db:"kind"`
		Integration dispatch.IntegrationID `db:"integration"`
		End         time.Time              `db:"ends"`
	}
	err = s.Select(ctx, &rows, `
		SELECT '`+string(dispatch.AlarmCredentials)+`' AS kind, c.integration_id::text AS integration, c.expires_at AS ends
		FROM credentials c WHERE c.state = 'active' AND c.expires_at IS NOT NULL
		    AND NOT EXISTS (SELECT FROM credentials n WHERE n.integration_id = c.integration_id AND n.state = 'next' AND n.switch_at < c.expires_at)
		UNION ALL SELECT '`+string(dispatch.AlarmCertificate)+`', id::text, certificate_expires_at FROM integrations WHERE certificate_expires_at IS NOT NULL`)
	for _, r := range rows {
		if step, left, soon := dispatch.Deadline(r.End, now); soon {
			list = append(list, dispatch.Condition{
				Kind: r.Kind, Integration: r.Integration, Figure: left, Step: fmt.Sprintf("%s/%d", r.End.UTC().Format(time.DateOnly), step),
			})
		}
	}
	return list, err
}

// FailingAccounts reads whose items fail so much that somebody is told: of those made within FailingSpan, as the account's rule says.
func (s Alarms) FailingAccounts(ctx context.Context, now time.Time) (list []dispatch.Condition, err error) {
	var rows []struct {
		Account dispatch.AccountID `db:"account_id"`
		Made    int                `db:"made"`
		Failed  int                `db:"failed"`
		failingRule
	}
	err = s.Select(ctx, &rows, `
		SELECT a.id AS account_id, coalesce(o.failing_least, 0) AS failing_least, coalesce(o.failing_percent, 0) AS failing_percent, n.made, n.failed
		FROM accounts a LEFT JOIN account_alarms o ON o.account_id = a.id CROSS JOIN LATERAL (
			SELECT count(*) AS made, count(*) FILTER (WHERE coalesce(st.bad, false)) AS failed
			FROM listed l LEFT JOIN statuses st ON st.kind = l.kind AND st.status = l.outcome
			WHERE l.account_id = a.id AND l.kind = ANY($2) AND l.created_at > $1 AND l.outcome <> ''
		) n WHERE n.failed > 0`, now.Add(-dispatch.FailingSpan), pq.Array(dispatch.Kinds))
	for _, r := range rows {
		if percent, much := r.domain().Fails(r.Made, r.Failed); much {
			list = append(list, dispatch.Condition{Kind: dispatch.AlarmFailing, Account: r.Account, Figure: percent})
		}
	}
	return list, err
}

// SeeConditions compares the conditions that hold now with the open alarms of their kinds: new ones begin, with a notice for
// everybody whom they concern, and those that have been gone for AlarmRest end, as of when they passed or were last seen.
func (s Alarms) SeeConditions(ctx context.Context, kinds []dispatch.AlarmKind, list []dispatch.Condition, o Channels, now time.Time) error {
	slices.SortFunc(list, func(a, b dispatch.Condition) int { return strings.Compare(a.Key(), b.Key()) }) // as every process locks them
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		for _, c := range list {
			if err := s.seeCondition(ctx, tx, c, o, now); err != nil {
				return err
			}
		}
		var ended []alarmRow
		err := tx.SelectContext(ctx, &ended, `
			UPDATE alarms a SET ended_at = coalesce(a.passed_at, a.seen_at) WHERE a.ended_at IS NULL AND a.kind = ANY($1) AND a.seen_at < $2
			RETURNING a.id, a.kind, coalesce(a.integration_id::text, '') AS integration, coalesce(a.account_id::text, '') AS account, a.figure`,
			pq.Array(kinds), now.Add(-dispatch.AlarmRest))
		for _, r := range ended {
			if err == nil && r.Kind.Ends() {
				err = In(s.Store).Notices.notify(ctx, tx, "over", r, o, now)
			}
		}
		return err
	})
}

func (s Alarms) seeCondition(ctx context.Context, tx *sqlx.Tx, c dispatch.Condition, o Channels, now time.Time) error {
	if c.Kept {
		_, err := tx.ExecContext(ctx, `UPDATE alarms SET seen_at = $2, passed_at = NULL WHERE key = $1 AND ended_at IS NULL`, c.Key(), now)
		return err
	}
	id, err := store.NewID()
	if err != nil {
		return err
	}
	var began bool
	err = tx.GetContext(ctx, &began, `
		INSERT INTO alarms (id, key, kind, integration_id, account_id, figure, began_at, seen_at)
		VALUES ($1::uuid, $2, $3, $4, $5, $6, least($7, $8::timestamptz), $7)
		ON CONFLICT (key) WHERE ended_at IS NULL DO UPDATE SET seen_at = excluded.seen_at, passed_at = NULL
		RETURNING id = $1::uuid`, id, c.Key(), c.Kind, store.Null(c.Integration), store.Null(c.Account), c.Figure, now, store.NullTime(c.Since))
	if err != nil || !began {
		return err
	}
	return In(s.Store).Notices.notify(ctx, tx, "alarm", alarmRow{ID: id, Kind: c.Kind, Integration: c.Integration, Account: c.Account}, o, now)
}

type alarmRow struct {
	ID          string                 `db:"id"`
	Key         string                 `db:"key"`
	Kind        dispatch.AlarmKind     `db:"kind"`
	Integration dispatch.IntegrationID `db:"integration"`
	Account     dispatch.AccountID     `db:"account"`
	Figure      int                    `db:"figure"`
	Name        string                 `db:"name"`
	Began       time.Time              `db:"began_at"`
	Seen        time.Time              `db:"seen_at"`
	Ended       *time.Time             `db:"ended_at"`
}

func (r alarmRow) domain() dispatch.Alarm {
	c := dispatch.Condition{Kind: r.Kind, Integration: r.Integration, Account: r.Account, Figure: r.Figure}
	c.Step, _ = strings.CutPrefix(r.Key, c.Key()) // a key ends with the step
	return dispatch.Alarm{
		ID: r.ID, Condition: c,
		Name: r.Name, Began: r.Began, Seen: r.Seen, Ended: store.Deref(r.Ended),
	}
}

const selectAlarms = `
	SELECT a.id, a.key, a.kind, coalesce(a.integration_id::text, '') AS integration, coalesce(a.account_id::text, '') AS account, a.figure,
	       coalesce(i.name, k.name, '') AS name, a.began_at, coalesce(a.passed_at, a.seen_at) AS seen_at, a.ended_at
	FROM alarms a LEFT JOIN integrations i ON i.id = a.integration_id LEFT JOIN accounts k ON k.id = a.account_id`

// List returns the latest alarms, newest first. One whose condition does not hold at this moment has ended when it was last found:
// only notices wait for AlarmRest. A condition that holds is one of them before the watch has looked.
func (s Alarms) List(ctx context.Context, now time.Time) ([]dispatch.Alarm, error) {
	var rows []alarmRow
	if err := s.Select(ctx, &rows, selectAlarms+` ORDER BY a.ended_at IS NOT NULL, a.began_at DESC, a.id DESC LIMIT 100`); err != nil {
		return nil, err
	}
	conditions, err := s.Conditions(ctx, now)
	if err != nil {
		return nil, err
	}
	failing, err := s.FailingAccounts(ctx, now)
	if err != nil {
		return nil, err
	}
	holds := map[string]dispatch.Condition{}
	for _, c := range slices.Concat(conditions, failing) {
		holds[c.Key()] = c
	}
	var known []dispatch.Alarm
	for _, r := range rows {
		a := r.domain()
		c, lasts := holds[r.Key]
		if r.Ended == nil && !lasts {
			a.Ended = r.Seen
		}
		if a.Unused = c.Unused; lasts && c.Since.After(a.Began) {
			a.Began = c.Since // it had ended for less than AlarmRest
		}
		if r.Ended == nil {
			delete(holds, r.Key)
		}
		known = append(known, a)
	}
	unseen, err := s.unseen(ctx, holds, now)
	return append(unseen, known...), err
}

// unseen are alarms of conditions that hold and have none yet, newest first.
func (s Alarms) unseen(ctx context.Context, holds map[string]dispatch.Condition, now time.Time) (list []dispatch.Alarm, err error) {
	if len(holds) == 0 {
		return nil, nil
	}
	var named []struct {
		ID   string `db:"id"`
		Name string `db:"name"`
	}
	if err := s.Select(ctx, &named, `SELECT id::text, name FROM integrations UNION ALL SELECT id::text, name FROM accounts`); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, n := range named {
		names[n.ID] = n.Name
	}
	for _, key := range slices.Sorted(maps.Keys(holds)) {
		c := holds[key]
		if c.Kept {
			continue
		}
		a := dispatch.Alarm{Condition: c, Name: names[string(c.Integration)+string(c.Account)], Began: c.Since, Seen: now}
		if a.Began.IsZero() {
			a.Began = now
		}
		list = append(list, a)
	}
	slices.SortStableFunc(list, func(a, b dispatch.Alarm) int { return b.Began.Compare(a.Began) })
	return list, nil
}

// ByID returns an alarm by its id.
func (s Alarms) ByID(ctx context.Context, id string) (dispatch.Alarm, error) {
	var r alarmRow
	err := s.Get(ctx, &r, selectAlarms+` WHERE a.id = $1`, id)
	return r.domain(), store.NotFound(err)
}
