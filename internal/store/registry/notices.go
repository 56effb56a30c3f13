package registry

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// NoticeKind is what a notice tells.
type NoticeKind string

// The kinds.
const (
	NoticeDigest NoticeKind = "digest" // what one has to follow up
	NoticeAlarm  NoticeKind = "alarm"  // a condition began
	NoticeOver   NoticeKind = "over"   // it ended
	NoticeTrial  NoticeKind = "trial"  // that notices arrive
)

// Channel is where a notice goes.
type Channel string

// The channels.
const (
	ChannelPerson    Channel = "person"    // the e-mail address that somebody chose
	ChannelOperators Channel = "operators" // the installation's address
	ChannelWebhook   Channel = "webhook"   // the installation's chat
	ChannelAccount   Channel = "account"   // an account's own chat
)

// Channels are those that the installation has configured.
type Channels struct{ Mail, Operators, Webhook bool }

// Names returns the configured channels.
func (o Channels) Names() (list []Channel) {
	if o.Mail {
		list = append(list, ChannelPerson)
	}
	if o.Operators {
		list = append(list, ChannelOperators)
	}
	if o.Webhook {
		list = append(list, ChannelWebhook)
	}
	return list
}

const (
	// alarmNews is how long an alarm is worth telling.
	alarmNews = 24 * time.Hour
	// loginBefore is how long ago somebody may have logged in to be told anything: what their rights are is known from then.
	loginBefore = 30 * 24 * time.Hour
	// noticeLease is how long a process that sends a notice keeps it.
	noticeLease = 2 * time.Minute
)

// Notice is a notice to be sent.
type Notice struct {
	ID      string             `db:"id"`
	Kind    NoticeKind         `db:"kind"`
	Channel Channel            `db:"channel"`
	User    dispatch.UserID    `db:"user_id"`
	Account dispatch.AccountID `db:"account_id"` // whose chat it goes to
	Alarm   string             `db:"alarm_id"`
	Day     time.Time          `db:"day"`
	Until   time.Time          `db:"until"`
	Tries   int                `db:"tries"`
}

// notify puts a notice about an alarm into the outbox for everybody whom it concerns. What concerns one account goes to its own chat
// in place of the installation's.
func (s Notices) notify(ctx context.Context, tx *sqlx.Tx, kind NoticeKind, r alarmRow, o Channels, now time.Time) error {
	accounts, chats, err := concernedAccounts(ctx, tx, r)
	if err != nil {
		return err
	}
	people, err := concerned(ctx, tx, r, accounts, o, now)
	if err != nil {
		return err
	}
	others := without(o.Names(), ChannelPerson)
	switch {
	case r.Kind.LeadsOnly():
		others, chats = []Channel{}, nil
	case r.Account != "" && len(chats) > 0:
		others = without(others, ChannelWebhook)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO notices (id, kind, channel, user_id, alarm_id, next_at, until, account_id)
		SELECT gen_random_uuid(), $1, '`+string(ChannelPerson)+`', u, $3::uuid, $4::timestamptz, $5::timestamptz, NULL::uuid FROM unnest($2::uuid[]) u
		UNION ALL SELECT gen_random_uuid(), $1, c, NULL::uuid, $3::uuid, $4, $5, NULL FROM unnest($6::text[]) c
		UNION ALL SELECT gen_random_uuid(), $1, '`+string(ChannelAccount)+`', NULL::uuid, $3::uuid, $4, $5, a FROM unnest($7::uuid[]) a
		ON CONFLICT DO NOTHING`,
		kind, pq.Array(people), r.ID, now, now.Add(alarmNews), pq.Array(others), pq.Array(chats))
	return err
}

// concernedAccounts are the accounts that an alarm is about, and those of them with a chat of their own.
func concernedAccounts(ctx context.Context, tx *sqlx.Tx, r alarmRow) (all, chats []dispatch.AccountID, err error) {
	var rows []struct {
		ID   dispatch.AccountID `db:"id"`
		Chat bool               `db:"chat"`
	}
	err = tx.SelectContext(ctx, &rows, `
		SELECT a.id, coalesce(o.chat <> '', false) AS chat FROM accounts a LEFT JOIN account_alarms o ON o.account_id = a.id
		WHERE a.disabled_at IS NULL AND (a.id::text = $1 OR $1 = '' AND ($2 = '' OR $2 IN (a.sms_integration_id::text, a.shipment_integration_id::text)))`,
		r.Account, r.Integration)
	for _, row := range rows {
		all = append(all, row.ID)
		if row.Chat {
			chats = append(chats, row.ID)
		}
	}
	return all, chats, err
}

func without(list []Channel, c Channel) []Channel {
	return slices.DeleteFunc(list, func(one Channel) bool { return one == c })
}

// concerned are the people who want to be told of alarms and may see this one: operators, and leads of an account that it concerns.
func concerned(ctx context.Context, tx *sqlx.Tx, r alarmRow, accounts []dispatch.AccountID, o Channels, now time.Time) ([]dispatch.UserID, error) {
	if !o.Mail {
		return nil, nil
	}
	var rows []struct {
		User   dispatch.UserID `db:"user_id"`
		Claims pq.StringArray  `db:"claims"`
	}
	err := tx.SelectContext(ctx, &rows, `
		SELECT m.user_id, l.claims FROM mail_choices m CROSS JOIN LATERAL (`+latestLogin+`) l WHERE m.alarms AND l.started_at > $1`, now.Add(-loginBefore))
	if err != nil {
		return nil, err
	}
	var people []dispatch.UserID
	for _, row := range rows {
		u, err := store.UserIn(ctx, tx, row.User, row.Claims)
		if err != nil {
			return nil, err
		}
		if u.MaySystem(dispatch.RightOperate) && !r.Kind.LeadsOnly() || slices.ContainsFunc(accounts, func(a dispatch.AccountID) bool { return u.May(dispatch.RightLead, a) }) {
			people = append(people, row.User)
		}
	}
	return people, nil
}

// latestLogin is the latest login of the person m.user_id.
const latestLogin = `SELECT claims, started_at FROM sign_ins WHERE user_id = m.user_id ORDER BY started_at DESC LIMIT 1`

// BeginDigests puts the digests of a day into the outbox, once.
func (s Notices) BeginDigests(ctx context.Context, day, until, now time.Time) error {
	_, err := s.DB.ExecContext(ctx, `
		INSERT INTO notices (id, kind, channel, user_id, day, next_at, until)
		SELECT gen_random_uuid(), '`+string(NoticeDigest)+`', '`+string(ChannelPerson)+`', m.user_id, $1::date, $2, $3
		FROM mail_choices m CROSS JOIN LATERAL (`+latestLogin+`) l WHERE m.digest AND l.started_at > $4
		ON CONFLICT DO NOTHING`, day.Format(time.DateOnly), now, until, now.Add(-loginBefore))
	return err
}

// Try puts a trial notice into the outbox: to a person's address, or to the installation's channels.
func (s Notices) Try(ctx context.Context, by store.Actor, to ...Channel) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := try(ctx, tx, by.User, to...); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Action: "notices.tried", Details: map[string]any{"channels": len(to)}, Origin: by.Origin})
	})
}

func try(ctx context.Context, tx *sqlx.Tx, user dispatch.UserID, to ...Channel) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO notices (id, kind, channel, user_id, until)
		SELECT gen_random_uuid(), '`+string(NoticeTrial)+`', c, CASE WHEN c = '`+string(ChannelPerson)+`' THEN $1::uuid END, now() + interval '1 hour' FROM unnest($2::text[]) c`,
		user, pq.Array(to))
	return err
}

// Claim claims the next due notice of the channels; nil: there is none.
func (s Notices) Claim(ctx context.Context, channels []Channel, now time.Time) (*Notice, error) {
	var n Notice
	err := s.DB.GetContext(ctx, &n, `
		UPDATE notices SET tries = tries + 1, next_at = $2 WHERE id = (
			SELECT id FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL AND next_at <= $1 AND until > $1 AND channel = ANY($3)
			ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, kind, channel, coalesce(user_id::text, '') AS user_id, coalesce(account_id::text, '') AS account_id, coalesce(alarm_id::text, '') AS alarm_id, coalesce(day, '0001-01-01') AS day, until, tries`,
		now, now.Add(noticeLease), pq.Array(channels))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &n, err
}

// Sent notes that a mail server or the webhook took a notice.
func (s Notices) Sent(ctx context.Context, n *Notice) error {
	return s.endNotice(ctx, n, `sent_at = now(), fault = ''`)
}

// Dropped notes that a notice is not sent: nothing is left to tell, or it is refused for good.
func (s Notices) Dropped(ctx context.Context, n *Notice, fault string) error {
	return s.endNotice(ctx, n, `dropped_at = now(), fault = $3`, fault)
}

// Failed notes that a notice could not be sent, and is tried again at a time.
func (s Notices) Failed(ctx context.Context, n *Notice, fault string, again time.Time) error {
	return s.endNotice(ctx, n, `next_at = $3, fault = $4`, again, fault)
}

// endNotice notes what became of a try; the number of the try is the fencing token.
func (s Notices) endNotice(ctx context.Context, n *Notice, set string, args ...any) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE notices SET `+set+` WHERE id = $1 AND tries = $2 AND sent_at IS NULL AND dropped_at IS NULL`, append([]any{n.ID, n.Tries}, args...)...)
	return err
}

// Purge drops notices that are no news any more, and deletes what is old: notices after 30 days, alarms a year after they
// ended, and the addresses of people who have not logged in for 90 days.
func (s Notices) Purge(ctx context.Context, now time.Time) error {
	for _, statement := range []string{
		`UPDATE notices SET dropped_at = $1 WHERE sent_at IS NULL AND dropped_at IS NULL AND until <= $1`,
		`DELETE FROM notices WHERE until < $1::timestamptz - interval '30 days'`,
		`DELETE FROM alarms WHERE ended_at < $1::timestamptz - interval '1 year'`,
		`DELETE FROM mail_choices m WHERE NOT EXISTS (SELECT FROM sign_ins s WHERE s.user_id = m.user_id AND s.started_at > $1::timestamptz - interval '90 days')`,
	} {
		if _, err := s.DB.ExecContext(ctx, statement, now); err != nil {
			return err
		}
	}
	return nil
}

// NoticeCounts tells what has become of the notices of the last day.
type NoticeCounts struct {
	Sent    int    `db:"sent"`
	Waiting int    `db:"waiting"`
	Dropped int    `db:"dropped"`
	Fault   string `db:"fault"` // of the last one that failed
}

// Counts counts the notices of the last day.
func (s Notices) Counts(ctx context.Context, now time.Time) (NoticeCounts, error) {
	var c NoticeCounts
	err := s.Get(ctx, &c, `
		SELECT count(*) FILTER (WHERE sent_at IS NOT NULL) AS sent, count(*) FILTER (WHERE sent_at IS NULL AND dropped_at IS NULL) AS waiting,
		       count(*) FILTER (WHERE dropped_at IS NOT NULL AND fault <> '') AS dropped,
		       coalesce((array_agg(fault ORDER BY created_at DESC) FILTER (WHERE fault <> ''))[1], '') AS fault
		FROM notices WHERE created_at > $1`, now.Add(-24*time.Hour))
	return c, err
}
