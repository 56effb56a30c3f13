-- +goose Up
-- Operation of the processes.

-- Processes that deliver now; each takes its share of an integration's parallelism and rate.
CREATE TABLE workers (
    id         uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Identity of the database that last delivered. A restored copy differs in one of these, and delivery pauses until an administrator
-- decides.
CREATE TABLE delivery_guard (
    single            boolean DEFAULT true PRIMARY KEY CONSTRAINT delivery_guard_single_check CHECK (single),
    system_identifier bigint NOT NULL,
    timeline          text NOT NULL,
    database_oid      bigint NOT NULL,
    table_oid         bigint NOT NULL,
    paused_at         timestamptz,
    paused_by         text NOT NULL DEFAULT '' -- empty: by the program, after a restore
);

-- Background work that keeps failing: skipped until next_at, so that the rest of its queue goes on.
CREATE TABLE set_aside (
    queue      text NOT NULL,
    key        text NOT NULL,
    account_id uuid REFERENCES accounts ON DELETE CASCADE, -- NULL: of no account
    tries      integer NOT NULL DEFAULT 1,
    cause      text NOT NULL,
    first_at   timestamptz NOT NULL DEFAULT now(),
    last_at    timestamptz NOT NULL DEFAULT now(),
    next_at    timestamptz NOT NULL,
    CONSTRAINT set_aside_pkey PRIMARY KEY (queue, key)
);
CREATE INDEX set_aside_account_idx ON set_aside (account_id);

-- Retention periods that differ from the defaults.
CREATE TABLE retention (
    keeping    text PRIMARY KEY,
    days       integer NOT NULL CONSTRAINT retention_days_check CHECK (days > 0),
    changed_at timestamptz NOT NULL DEFAULT now(),
    changed_by uuid NOT NULL REFERENCES users
);

-- Nights with a purge. One process purges; another takes over if it died.
CREATE TABLE purges (
    night      date PRIMARY KEY, -- in Oslo
    started_at timestamptz NOT NULL,
    ended_at   timestamptz,
    counts     jsonb NOT NULL DEFAULT '{}'
);

-- The functions, triggers and views of each release that has migrated (migrations/code), as a hash.
CREATE TABLE applied_code (
    hash       text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
