-- +goose Up
-- What people find items by: lists, searches, look-ups, lists as files, and what they must follow up.

-- What the lists of an account are read by, in the order of each: rows change only with what a list shows. Triggers keep them, so
-- that no writer can forget.
CREATE TABLE listed (
    item_id    uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    kind       text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid NOT NULL,
    list_group text NOT NULL,
    status     text NOT NULL, -- '': none is shown
    outcome    text NOT NULL DEFAULT '', -- as numbers call it; '': a draft is not counted
    read_band  integer, -- how long it took until it was read; NULL: it was not
    sign_band  integer, -- the same, until it was signed
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

-- How many items of an account stand in each group: the sum of the rows, which are added in the transactions that change the
-- items, and folded now and then. Drafts are their owner's, and are not counted here.
CREATE TABLE list_counts (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL, -- no foreign key: all changes of an account would lock its one row
    kind       text NOT NULL,
    list_group text NOT NULL,
    n          bigint NOT NULL
);
CREATE INDEX list_counts_account_idx ON list_counts (account_id) INCLUDE (kind, list_group, n);

-- A search that somebody runs: its words never stand in an address. It is theirs alone, on one account, for some hours.
CREATE TABLE searches (
    id         uuid PRIMARY KEY, -- random
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content    bytea NOT NULL, -- sealed, bound to the id: the words, or the keyed hash of a number with how it is shown
    expires_at timestamptz NOT NULL
);
CREATE INDEX searches_expires_idx ON searches (expires_at);
CREATE INDEX searches_user_idx ON searches (user_id, expires_at DESC, id);

-- What somebody chose to see and gave a name: the structured part only.
CREATE TABLE saved_filters (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name       text NOT NULL,
    query      text NOT NULL, -- as it stands in an address
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_filters_name_key ON saved_filters (account_id, user_id, lower(name));

-- A list that somebody wants as a file. Any process makes it; one that loses its lease, or dies, leaves nothing that counts: the
-- next begins anew under the next number. It is there for the person who asked only, and for a day.
CREATE TABLE exports (
    id          uuid PRIMARY KEY, -- random
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    format      text NOT NULL CONSTRAINT exports_format_check CHECK (format IN ('csv', 'xlsx')),
    query       bytea NOT NULL, -- sealed, bound to the id: what was chosen, and what was searched for
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    expected    integer, -- how many rows there were; NULL: more than were counted
    attempt     integer NOT NULL DEFAULT 0, -- fencing token
    lease_until timestamptz,
    rows        integer NOT NULL DEFAULT 0, -- of this attempt
    size        bigint NOT NULL DEFAULT 0,
    sha256      text NOT NULL DEFAULT '',
    done_at     timestamptz,
    failed_at   timestamptz
);
CREATE INDEX exports_expires_idx ON exports (expires_at);
CREATE INDEX exports_user_idx ON exports (account_id, user_id, created_at DESC);
CREATE INDEX exports_waiting_idx ON exports (created_at) WHERE done_at IS NULL AND failed_at IS NULL;

-- Its content in sealed pieces, bound to the export, the attempt and the position.
CREATE TABLE export_chunks (
    export_id uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
    attempt   integer NOT NULL,
    position  integer NOT NULL,
    data      bytea NOT NULL,
    CONSTRAINT export_chunks_pkey PRIMARY KEY (export_id, attempt, "position")
);
ALTER TABLE export_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- The answers of a look-up in the contact register, for as long as the session that asked, and fifteen minutes at most.
CREATE TABLE session_lookups (
    token_hash text NOT NULL REFERENCES sessions ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    data       bytea NOT NULL, -- sealed, bound to session and account
    expires_at timestamptz NOT NULL,
    CONSTRAINT session_lookups_pkey PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX session_lookups_expires_idx ON session_lookups (expires_at);

-- What wants a caseworker: one row for an item, with the first cause that holds and what people have written about it. Triggers
-- keep them where something happens, and a sweep finds deadlines. A row stays when its cause ends.
CREATE TABLE follow_ups (
    item_id    uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id uuid NOT NULL,
    cause      text NOT NULL,
    since      timestamptz NOT NULL, -- from when it holds
    ended_at   timestamptz, -- it does not hold any more
    owner_id   uuid REFERENCES users,
    due_on     date,
    note       bytea, -- sealed, bound to the item
    done_at    timestamptz, -- a person marked it as followed up; forgotten when there is another cause
    done_by    uuid REFERENCES users,
    reason     bytea -- sealed, bound to the item: why that was enough
);
CREATE INDEX follow_ups_cause_idx ON follow_ups (account_id, cause, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_open_idx ON follow_ups (account_id, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_owner_idx ON follow_ups (account_id, owner_id, since DESC, item_id DESC)
    WHERE ended_at IS NULL AND done_at IS NULL AND owner_id IS NOT NULL;
