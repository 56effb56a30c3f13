-- +goose Up
-- Who is told of what happens, outside the pages.

-- How somebody wants to be told by e-mail.
CREATE TABLE mail_choices (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    address    bytea NOT NULL, -- sealed, bound to the user
    digest     boolean NOT NULL, -- each working day's morning: what one has to follow up
    alarms     boolean NOT NULL, -- at once: what stops or fails, where one leads or operates
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- A condition that leads and operators are told of, from when it was first seen until it has been gone for a while.
CREATE TABLE alarms (
    id             uuid PRIMARY KEY,
    key            text NOT NULL, -- which condition: its kind, and what it concerns
    kind           text NOT NULL,
    integration_id uuid REFERENCES integrations ON DELETE CASCADE,
    account_id     uuid REFERENCES accounts ON DELETE CASCADE,
    figure         integer NOT NULL DEFAULT 0, -- days left, minutes waited, or percent that failed, when it began
    began_at       timestamptz NOT NULL DEFAULT now(),
    seen_at        timestamptz NOT NULL DEFAULT now(),
    ended_at       timestamptz
);
CREATE UNIQUE INDEX alarms_open_key ON alarms (key) WHERE ended_at IS NULL;
CREATE INDEX alarms_began_idx ON alarms (began_at DESC, id DESC);

-- The outbox of notices, one row for each recipient. What a notice says is read when it is sent, so that no count and no name
-- stands here. A process that dies between sending and noting it sends again, under the same Message-ID.
CREATE TABLE notices (
    id         uuid PRIMARY KEY,
    kind       text NOT NULL CONSTRAINT notices_kind_check CHECK (kind IN ('digest', 'alarm', 'over', 'trial')),
    channel    text NOT NULL CONSTRAINT notices_channel_check CHECK (channel IN ('person', 'operators', 'webhook')),
    user_id    uuid REFERENCES users ON DELETE CASCADE, -- of the channel person
    alarm_id   uuid REFERENCES alarms ON DELETE CASCADE,
    day        date, -- of a digest, in Oslo
    created_at timestamptz NOT NULL DEFAULT now(),
    next_at    timestamptz NOT NULL DEFAULT now(),
    until      timestamptz NOT NULL, -- later it is no news
    tries      integer NOT NULL DEFAULT 0,
    sent_at    timestamptz, -- the mail server or the webhook took it
    dropped_at timestamptz, -- given up, or there was nothing to tell
    fault      text NOT NULL DEFAULT '', -- of the last try
    CONSTRAINT notices_person_check CHECK ((channel = 'person') = (user_id IS NOT NULL))
);
CREATE INDEX notices_due_idx ON notices (next_at) WHERE sent_at IS NULL AND dropped_at IS NULL;
CREATE UNIQUE INDEX notices_once_key ON notices (kind, channel, user_id, alarm_id, day) NULLS NOT DISTINCT WHERE kind <> 'trial';
CREATE INDEX notices_alarm_idx ON notices (alarm_id) WHERE alarm_id IS NOT NULL;
CREATE INDEX notices_created_idx ON notices (created_at);
CREATE INDEX notices_user_idx ON notices (user_id) WHERE user_id IS NOT NULL;
