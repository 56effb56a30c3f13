-- +goose Up
-- A list that somebody wants as a file. Any process that is free makes it; whoever loses it, or dies, leaves nothing that
-- counts: the next one begins anew under the next number. It is there for who asked only, and for a day.
CREATE TABLE exports (
    id          uuid PRIMARY KEY, -- random
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    format      text NOT NULL CONSTRAINT exports_format_check CHECK (format IN ('csv', 'xlsx')),
    query       bytea NOT NULL,    -- sealed, bound to the id: what was chosen, and what was searched for
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    expected    integer,           -- how many rows there were; NULL: more than were counted
    attempt     integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    rows        integer NOT NULL DEFAULT 0, -- of this attempt
    size        bigint NOT NULL DEFAULT 0,
    sha256      text NOT NULL DEFAULT '',
    done_at     timestamptz,
    failed_at   timestamptz
);
CREATE INDEX exports_waiting_idx ON exports (created_at) WHERE done_at IS NULL AND failed_at IS NULL;
CREATE INDEX exports_expires_idx ON exports (expires_at);
CREATE INDEX exports_user_idx ON exports (account_id, user_id, created_at DESC);

CREATE TABLE export_chunks (
    export_id uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
    attempt   integer NOT NULL,
    position  integer NOT NULL,
    data      bytea NOT NULL,
    PRIMARY KEY (export_id, attempt, position)
);
ALTER TABLE export_chunks ALTER COLUMN data SET STORAGE EXTERNAL;
