-- +goose Up
-- The answers of a look-up in the contact register, for as long as the session that asked, and fifteen minutes at most.
CREATE TABLE session_lookups (
    token_hash text NOT NULL REFERENCES sessions ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    data       bytea NOT NULL, -- sealed, bound to session and account
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX session_lookups_expires_idx ON session_lookups (expires_at);
-- How much a person has asked for within the last hour is read from the event log.
CREATE INDEX audit_events_lookup_idx ON audit_events (actor_id, at) WHERE action = 'lookup';
