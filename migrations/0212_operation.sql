-- +goose Up
-- What the processes need to run.

-- The processes that deliver now; each takes its share of an integration's parallelism and rate.
CREATE TABLE workers (
    id         uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Which database last delivered. A restored copy differs in one of these, and delivery pauses until a person decides.
CREATE TABLE delivery_guard (
    single            boolean DEFAULT true PRIMARY KEY CONSTRAINT delivery_guard_single_check CHECK (single),
    system_identifier bigint NOT NULL,
    timeline          text NOT NULL,
    database_oid      bigint NOT NULL,
    table_oid         bigint NOT NULL,
    paused_at         timestamptz,
    paused_by         text NOT NULL DEFAULT '' -- empty: by the program, after a restore
);

-- Background work that failed for its own sake: it is left out until next_at, so that the rest of its queue goes on.
CREATE TABLE set_aside (
    queue      text NOT NULL,
    key        text NOT NULL,
    account_id uuid REFERENCES accounts ON DELETE CASCADE, -- NULL: no account's
    tries      integer NOT NULL DEFAULT 1,
    cause      text NOT NULL,
    first_at   timestamptz NOT NULL DEFAULT now(),
    last_at    timestamptz NOT NULL DEFAULT now(),
    next_at    timestamptz NOT NULL,
    CONSTRAINT set_aside_pkey PRIMARY KEY (queue, key)
);
CREATE INDEX set_aside_account_idx ON set_aside (account_id);

-- How long things are kept, where an administrator has chosen another number of days than the program's.
CREATE TABLE retention (
    keeping    text PRIMARY KEY,
    days       integer NOT NULL CONSTRAINT retention_days_check CHECK (days > 0),
    changed_at timestamptz NOT NULL DEFAULT now(),
    changed_by uuid NOT NULL REFERENCES users
);

-- The nights on which something was purged: one process does it, and another when that one died.
CREATE TABLE purges (
    night      date PRIMARY KEY, -- in Oslo
    started_at timestamptz NOT NULL,
    ended_at   timestamptz,
    counts     jsonb NOT NULL DEFAULT '{}'
);

-- The functions, triggers and views of each version that has migrated (migrations/code), by a hash of them.
CREATE TABLE applied_code (
    hash       text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
