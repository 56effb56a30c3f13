-- +goose Up
-- What an account says itself about alarms: when much fails, and the chat that is told of what concerns it.
CREATE TABLE account_alarms (
    account_id      uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    failing_least   integer NOT NULL DEFAULT 0, -- failures; 0: as the installation says
    failing_percent integer NOT NULL DEFAULT 0, -- of what was made; 0: as the installation says
    chat            bytea NOT NULL DEFAULT '', -- address of a webhook, sealed, bound to the account; empty: none
    chat_format     text NOT NULL DEFAULT 'text'
        CONSTRAINT account_alarms_format_check CHECK (chat_format IN ('text', 'card')),
    changed_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT account_alarms_failing_check CHECK (failing_least >= 0 AND failing_percent BETWEEN 0 AND 100)
);

-- Notices to accounts' chats.
ALTER TABLE notices ADD COLUMN account_id uuid REFERENCES accounts ON DELETE CASCADE; -- for the channel account
ALTER TABLE notices DROP CONSTRAINT notices_channel_check;
ALTER TABLE notices ADD CONSTRAINT notices_channel_check CHECK (channel IN ('person', 'operators', 'webhook', 'account'));
ALTER TABLE notices ADD CONSTRAINT notices_account_check CHECK ((channel = 'account') = (account_id IS NOT NULL));
DROP INDEX notices_once_key;
CREATE UNIQUE INDEX notices_once_key ON notices (kind, channel, user_id, alarm_id, day, account_id) NULLS NOT DISTINCT WHERE kind <> 'trial';
CREATE INDEX notices_account_idx ON notices (account_id, created_at) WHERE account_id IS NOT NULL;
