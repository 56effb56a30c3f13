-- +goose Up
-- Notices by e-mail and chat.

-- A user's choice of notices by e-mail.
CREATE TABLE mail_choices (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    address    bytea NOT NULL, -- sealed, bound to the user
    digest     boolean NOT NULL, -- on the morning of working days: open follow-ups
    alarms     boolean NOT NULL, -- at once: stops and failures, for team leads and operators
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- A condition that team leads and operators are notified of, from when it was first seen until it has been gone for a while.
CREATE TABLE alarms (
    id             uuid PRIMARY KEY,
    key            text NOT NULL, -- kind of condition, and its object
    kind           text NOT NULL,
    integration_id uuid REFERENCES integrations ON DELETE CASCADE,
    account_id     uuid REFERENCES accounts ON DELETE CASCADE,
    figure         integer NOT NULL DEFAULT 0, -- at the beginning: days left, minutes waited, or percentage failed
    began_at       timestamptz NOT NULL DEFAULT now(),
    seen_at        timestamptz NOT NULL DEFAULT now(),
    ended_at       timestamptz
);
CREATE UNIQUE INDEX alarms_open_key ON alarms (key) WHERE ended_at IS NULL;
CREATE INDEX alarms_began_idx ON alarms (began_at DESC, id DESC);

-- The outbox of notices, one row per recipient. The text is made when a notice is sent, so that no count or name is stored. A
-- process that dies between sending and updating the row sends again, with the same Message-ID.
CREATE TABLE notices (
    id         uuid PRIMARY KEY,
    kind       text NOT NULL CONSTRAINT notices_kind_check CHECK (kind IN ('digest', 'alarm', 'over', 'trial')),
    channel    text NOT NULL CONSTRAINT notices_channel_check CHECK (channel IN ('person', 'operators', 'webhook')),
    user_id    uuid REFERENCES users ON DELETE CASCADE, -- for the channel person
    alarm_id   uuid REFERENCES alarms ON DELETE CASCADE,
    day        date, -- of a digest, in Oslo
    created_at timestamptz NOT NULL DEFAULT now(),
    next_at    timestamptz NOT NULL DEFAULT now(),
    until      timestamptz NOT NULL, -- not sent later than this
    tries      integer NOT NULL DEFAULT 0,
    sent_at    timestamptz, -- accepted by the mail server or the webhook
    dropped_at timestamptz, -- given up, or obsolete
    fault      text NOT NULL DEFAULT '', -- of the last attempt
    CONSTRAINT notices_person_check CHECK ((channel = 'person') = (user_id IS NOT NULL))
);
CREATE INDEX notices_due_idx ON notices (next_at) WHERE sent_at IS NULL AND dropped_at IS NULL;
CREATE UNIQUE INDEX notices_once_key ON notices (kind, channel, user_id, alarm_id, day) NULLS NOT DISTINCT WHERE kind <> 'trial';
CREATE INDEX notices_alarm_idx ON notices (alarm_id) WHERE alarm_id IS NOT NULL;
CREATE INDEX notices_created_idx ON notices (created_at);
CREATE INDEX notices_user_idx ON notices (user_id) WHERE user_id IS NOT NULL;
