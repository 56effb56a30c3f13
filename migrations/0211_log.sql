-- +goose Up
-- The event log.

-- Who did what, and when. Numbers, texts and names of recipients are never logged. Names of people and accounts are kept as they
-- were. Logins are purged before the log, so there is no foreign key to them. The server writes through write_audit only.
CREATE TABLE audit_events (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_id     uuid REFERENCES users,
    account_id   uuid REFERENCES accounts,
    action       text NOT NULL,
    object_id    uuid,
    details      jsonb NOT NULL DEFAULT '{}',
    origin       text NOT NULL DEFAULT '', -- IP address of the request
    actor_name   text NOT NULL DEFAULT '',
    account_name text NOT NULL DEFAULT '',
    sign_in_id   uuid
);
CREATE INDEX audit_events_account_idx ON audit_events (account_id, at DESC, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX audit_events_action_idx ON audit_events (action, at DESC, id DESC);
CREATE INDEX audit_events_actor_account_idx ON audit_events (actor_id, account_id, at DESC);
CREATE INDEX audit_events_actor_idx ON audit_events (actor_id, at DESC, id DESC) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_events_at_idx ON audit_events (at DESC, id DESC);
-- Counts a user's look-ups within the last hour.
CREATE INDEX audit_events_lookup_idx ON audit_events (actor_id, at) WHERE action = 'lookup';
CREATE INDEX audit_events_number_search_account_idx ON audit_events (account_id, at) WHERE action = 'list.search';
CREATE INDEX audit_events_number_search_idx ON audit_events (actor_id, at) WHERE action IN ('list.search', 'citizen.report');
CREATE INDEX audit_events_object_idx ON audit_events (object_id) WHERE object_id IS NOT NULL;

-- Hash chain: each line's hash includes that of the line before. Rows are never changed. Lines are chained in the background, so
-- that writers never wait; a line that was committed late is later in the chain than in the log.
CREATE TABLE audit_chain (
    position bigint PRIMARY KEY, -- from 1, without gaps
    audit_id bigint NOT NULL CONSTRAINT audit_chain_audit_key UNIQUE,
    hash     bytea NOT NULL, -- SHA-256 of the hash before and of the line's content
    form     smallint NOT NULL DEFAULT 1 -- format of the hashed content: 1 the first, 2 with names and login
);

-- Where the chain begins after a purge: the last purged line.
CREATE TABLE audit_anchors (
    position  bigint PRIMARY KEY,
    hash      bytea NOT NULL,
    purged_at timestamptz NOT NULL DEFAULT now()
);

-- Keyed hashes of the numbers in look-ups, searches and reports: for a person's right of access, and to count a user's different
-- numbers.
CREATE TABLE looked_up (
    number_hash bytea NOT NULL,
    event_id    bigint NOT NULL, -- no foreign key: the log's owner purges it separately
    at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT looked_up_pkey PRIMARY KEY (number_hash, event_id)
);
CREATE INDEX looked_up_at_idx ON looked_up USING brin (at);
CREATE INDEX looked_up_event_idx ON looked_up (event_id);
