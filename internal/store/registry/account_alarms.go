package registry

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// AccountAlarms is what an account says itself about alarms, without the address of its chat.
type AccountAlarms struct {
	Failing dispatch.FailingRule
	Chat    bool // it has one
	Format  dispatch.ChatFormat
	Changed time.Time
	Last    LastNotice // to the chat
}

// LastNotice is what became of the latest notice to an account's chat; zero: there was none in the last 30 days.
type LastNotice struct {
	At    time.Time
	Sent  bool
	Fault dispatch.NoticeFault // why it was not sent, or not yet
}

type failingRule struct {
	Least   int `db:"failing_least"`
	Percent int `db:"failing_percent"`
}

func (r failingRule) domain() dispatch.FailingRule { return dispatch.FailingRule(r) }

// Of returns what an account says about alarms.
func (s AccountNotices) Of(ctx context.Context, account dispatch.AccountID) (AccountAlarms, error) {
	var row struct {
		failingRule
		Chat    bool                 `db:"chat"`
		Format  dispatch.ChatFormat  `db:"chat_format"`
		Changed time.Time            `db:"changed_at"`
		At      *time.Time           `db:"at"`
		Sent    bool                 `db:"sent"`
		Fault   dispatch.NoticeFault `db:"fault"`
	}
	err := s.Get(ctx, &row, `
		SELECT o.failing_least, o.failing_percent, o.chat <> '' AS chat, o.chat_format, o.changed_at, n.created_at AS at, n.sent_at IS NOT NULL AS sent, coalesce(n.fault, '') AS fault
		FROM account_alarms o LEFT JOIN LATERAL (
			SELECT created_at, sent_at, fault FROM notices WHERE account_id = o.account_id ORDER BY created_at DESC LIMIT 1) n ON true
		WHERE o.account_id = $1`, account)
	if errors.Is(err, sql.ErrNoRows) {
		return AccountAlarms{}, nil
	}
	a := AccountAlarms{Failing: row.domain(), Chat: row.Chat, Format: row.Format, Changed: row.Changed}
	if row.Chat && row.At != nil {
		a.Last = LastNotice{At: *row.At, Sent: row.Sent, Fault: row.Fault}
	}
	return a, err
}

// SaveFailingRule stores when much fails on an account; the zero rule is the installation's.
func (s AccountNotices) SaveFailingRule(ctx context.Context, account dispatch.AccountID, r dispatch.FailingRule, by store.Actor, changed ...dispatch.SettingChange) error {
	details := by.Details("values", changed)
	return s.OperateAccount(ctx, account, by, "account_setup.failing", details, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			INSERT INTO account_alarms (account_id, failing_least, failing_percent) VALUES ($1, $2, $3)
			ON CONFLICT (account_id) DO UPDATE SET failing_least = excluded.failing_least, failing_percent = excluded.failing_percent, changed_at = now()`,
			account, r.Least, r.Percent))
	})
}

// SaveChat stores an account's chat, or removes it with the zero one. The address is not in the event log.
func (s AccountNotices) SaveChat(ctx context.Context, account dispatch.AccountID, chat dispatch.Chat, by store.Actor) error {
	action, sealed := "account_setup.chat_removed", []byte{}
	if chat.Address != "" {
		var err error
		if sealed, err = s.SealText(chat.Address.Reveal(), store.ChatPlace(account)); err != nil {
			return err
		}
		action = "account_setup.chat"
	} else {
		chat.Format = dispatch.ChatText
	}
	return s.OperateAccount(ctx, account, by, action, nil, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			INSERT INTO account_alarms (account_id, chat, chat_format) VALUES ($1, $2, $3)
			ON CONFLICT (account_id) DO UPDATE SET chat = excluded.chat, chat_format = excluded.chat_format, changed_at = now()`,
			account, sealed, chat.Format))
	})
}

// NoteChatTried records that somebody sent a trial message to an account's chat, and what came of it.
func (s AccountNotices) NoteChatTried(ctx context.Context, account dispatch.AccountID, answer dispatch.ChatAnswer, by store.Actor) error {
	details := map[string]any{}
	if answer.Status > 0 {
		details["status"] = answer.Status
	}
	if answer.Fault != dispatch.FaultNone {
		details["fault"] = answer.Fault
	}
	return s.OperateAccount(ctx, account, by, "account_setup.chat_tried", details, func(*sqlx.Tx) (int64, error) { return 1, nil })
}

// Chat returns an account's chat. ErrNotFound when it has none, or is disabled.
func (s AccountNotices) Chat(ctx context.Context, account dispatch.AccountID) (dispatch.Chat, error) {
	var row struct {
		Chat   []byte              `db:"chat"`
		Format dispatch.ChatFormat `db:"chat_format"`
	}
	err := s.Get(ctx, &row, `
		SELECT o.chat, o.chat_format FROM account_alarms o JOIN accounts a ON a.id = o.account_id
		WHERE o.account_id = $1 AND o.chat <> '' AND a.disabled_at IS NULL`, account)
	if err != nil {
		return dispatch.Chat{}, store.NotFound(err)
	}
	address, err := s.OpenText(row.Chat, store.ChatPlace(account))
	return dispatch.Chat{Address: dispatch.Secret(address), Format: row.Format}, err
}

// ChatCount counts the accounts with a chat of their own.
func (s AccountNotices) ChatCount(ctx context.Context) (n int, err error) {
	err = s.Get(ctx, &n, `SELECT count(*) FROM account_alarms o JOIN accounts a ON a.id = o.account_id WHERE o.chat <> '' AND a.disabled_at IS NULL`)
	return n, err
}
