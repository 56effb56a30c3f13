-- +goose Up
-- Lists, searches, look-ups, exports and follow-ups.

-- The columns that an account's lists are read by, with an index for each order. A row changes only when a list shows something
-- else. Triggers maintain it, so that no statement can forget to.
CREATE TABLE listed (
    item_id    uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    kind       text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid NOT NULL,
    list_group text NOT NULL,
    status     text NOT NULL, -- '': none is shown
    outcome    text NOT NULL DEFAULT '', -- as statistics name it; '': a draft, which is not counted
    read_band  integer, -- band of the time until it was read; NULL: it was not
    sign_band  integer, -- the same for signing
    route      text NOT NULL DEFAULT '' -- dispatch.Route; '': a draft
);
CREATE INDEX listed_creator_idx ON listed (account_id, kind, created_by, created_at DESC, item_id DESC);
CREATE INDEX listed_group_idx ON listed (account_id, kind, list_group, created_at DESC, item_id DESC);
CREATE INDEX listed_idx ON listed (account_id, kind, created_at DESC, item_id DESC);
CREATE INDEX listed_outcome_idx ON listed (account_id, kind, outcome, created_at DESC, item_id DESC)
    WHERE outcome IN ('open', 'untracked', 'rejected', 'failed', 'cancelled');
CREATE INDEX listed_read_idx ON listed (account_id, read_band, created_at DESC, item_id DESC) WHERE read_band IS NOT NULL;
CREATE INDEX listed_route_idx ON listed (account_id, route, created_at DESC, item_id DESC) WHERE kind = 'shipment';
CREATE INDEX listed_sign_idx ON listed (account_id, sign_band, created_at DESC, item_id DESC) WHERE sign_band IS NOT NULL;
CREATE INDEX listed_status_idx ON listed (account_id, kind, status, created_at DESC, item_id DESC) WHERE status <> '';

-- Items per account and group: the sum of the rows, which are added in the transactions that change items, and folded now and then.
-- Drafts are private, and not counted.
CREATE TABLE list_counts (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL, -- no foreign key, which would lock the account's row
    kind       text NOT NULL,
    list_group text NOT NULL,
    n          bigint NOT NULL
);
CREATE INDEX list_counts_account_idx ON list_counts (account_id) INCLUDE (kind, list_group, n);

-- A running search, so that its terms never stand in a URL. It is private to one user on one account, and expires after some hours.
CREATE TABLE searches (
    id         uuid PRIMARY KEY, -- random
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content    bytea NOT NULL, -- sealed, bound to the id: the words, or the keyed hash of a number with its masked form
    expires_at timestamptz NOT NULL
);
CREATE INDEX searches_expires_idx ON searches (expires_at);
CREATE INDEX searches_user_idx ON searches (user_id, expires_at DESC, id);

-- Saved filters, without search terms.
CREATE TABLE saved_filters (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name       text NOT NULL,
    query      text NOT NULL, -- query string
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_filters_name_key ON saved_filters (account_id, user_id, lower(name));

-- Exports. Any process may make one. If it loses its lease or dies, its chunks do not count, and another process starts anew with
-- the next attempt. An export is private to the user who ordered it, and is deleted after a day.
CREATE TABLE exports (
    id          uuid PRIMARY KEY, -- random
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    format      text NOT NULL CONSTRAINT exports_format_check CHECK (format IN ('csv', 'xlsx')),
    query       bytea NOT NULL, -- sealed, bound to the id: filter and search
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    expected    integer, -- number of rows to expect; NULL: more than were counted
    attempt     integer NOT NULL DEFAULT 0, -- fencing token
    lease_until timestamptz,
    rows        integer NOT NULL DEFAULT 0, -- written by this attempt
    size        bigint NOT NULL DEFAULT 0,
    sha256      text NOT NULL DEFAULT '',
    done_at     timestamptz,
    failed_at   timestamptz
);
CREATE INDEX exports_expires_idx ON exports (expires_at);
CREATE INDEX exports_user_idx ON exports (account_id, user_id, created_at DESC);
CREATE INDEX exports_waiting_idx ON exports (created_at) WHERE done_at IS NULL AND failed_at IS NULL;

-- The file in sealed chunks, bound to the export, the attempt and the position.
CREATE TABLE export_chunks (
    export_id uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
    attempt   integer NOT NULL,
    position  integer NOT NULL,
    data      bytea NOT NULL,
    CONSTRAINT export_chunks_pkey PRIMARY KEY (export_id, attempt, "position")
);
ALTER TABLE export_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- Answers of a look-up in the contact register, deleted with the session, and after fifteen minutes at the latest.
CREATE TABLE session_lookups (
    token_hash text NOT NULL REFERENCES sessions ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    data       bytea NOT NULL, -- sealed, bound to session and account
    expires_at timestamptz NOT NULL,
    CONSTRAINT session_lookups_pkey PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX session_lookups_expires_idx ON session_lookups (expires_at);

-- Follow-ups: one row per item, with the first cause that applies and notes about it. Triggers maintain it, and a sweep finds
-- passed deadlines. The row stays when the cause no longer applies.
CREATE TABLE follow_ups (
    item_id    uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id uuid NOT NULL,
    cause      text NOT NULL,
    since      timestamptz NOT NULL, -- when the cause began to apply
    ended_at   timestamptz, -- when it ceased to apply
    owner_id   uuid REFERENCES users,
    due_on     date,
    note       bytea, -- sealed, bound to the item
    done_at    timestamptz, -- marked as followed up; cleared when another cause applies
    done_by    uuid REFERENCES users,
    reason     bytea -- sealed, bound to the item: reason for marking it as followed up
);
CREATE INDEX follow_ups_cause_idx ON follow_ups (account_id, cause, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_open_idx ON follow_ups (account_id, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_owner_idx ON follow_ups (account_id, owner_id, since DESC, item_id DESC)
    WHERE ended_at IS NULL AND done_at IS NULL AND owner_id IS NOT NULL;
