-- +goose Up
-- The event log.

-- Who did what, when. Numbers, texts and names of recipients never stand here. Names of people and accounts are kept as they
-- were. Logins are forgotten before the log is: they have no foreign key. The server writes by write_audit alone.
CREATE TABLE audit_events (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_id     uuid REFERENCES users,
    account_id   uuid REFERENCES accounts,
    action       text NOT NULL,
    object_id    uuid,
    details      jsonb NOT NULL DEFAULT '{}',
    origin       text NOT NULL DEFAULT '', -- address that the request came from
    actor_name   text NOT NULL DEFAULT '',
    account_name text NOT NULL DEFAULT '',
    sign_in_id   uuid
);
CREATE INDEX audit_events_account_idx ON audit_events (account_id, at DESC, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX audit_events_action_idx ON audit_events (action, at DESC, id DESC);
CREATE INDEX audit_events_actor_account_idx ON audit_events (actor_id, account_id, at DESC);
CREATE INDEX audit_events_actor_idx ON audit_events (actor_id, at DESC, id DESC) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_events_at_idx ON audit_events (at DESC, id DESC);
-- How much a person has asked for within the last hour is read from the log.
CREATE INDEX audit_events_lookup_idx ON audit_events (actor_id, at) WHERE action = 'lookup';
CREATE INDEX audit_events_number_search_account_idx ON audit_events (account_id, at) WHERE action = 'list.search';
CREATE INDEX audit_events_number_search_idx ON audit_events (actor_id, at) WHERE action IN ('list.search', 'citizen.report');
CREATE INDEX audit_events_object_idx ON audit_events (object_id) WHERE object_id IS NOT NULL;

-- Each line's hash holds that of the line before. Nothing here is ever changed. Lines are chained in the background, so that
-- writers wait for nobody; a line that was committed late comes later in the chain than in the log.
CREATE TABLE audit_chain (
    position bigint PRIMARY KEY, -- from 1, without gaps
    audit_id bigint NOT NULL CONSTRAINT audit_chain_audit_key UNIQUE,
    hash     bytea NOT NULL, -- SHA-256 of the hash before and of what the line says
    form     smallint NOT NULL DEFAULT 1 -- what the hash holds: 1 what lines said at first, 2 names and login too
);

-- Where the chain begins after lines have been purged: the last one that is gone.
CREATE TABLE audit_anchors (
    position  bigint PRIMARY KEY,
    hash      bytea NOT NULL,
    purged_at timestamptz NOT NULL DEFAULT now()
);

-- Which look-ups, searches and reports asked for a number: keyed hashes, so that a person can be told what was done with their
-- number, and different numbers of a person be counted.
CREATE TABLE looked_up (
    number_hash bytea NOT NULL,
    event_id    bigint NOT NULL, -- of the line in the event log; no foreign key: its owner purges that by itself
    at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT looked_up_pkey PRIMARY KEY (number_hash, event_id)
);
CREATE INDEX looked_up_at_idx ON looked_up USING brin (at);
CREATE INDEX looked_up_event_idx ON looked_up (event_id);
