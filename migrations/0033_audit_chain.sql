-- +goose Up
-- The chain of the event log: each line's hash holds that of the line before. Nothing here is ever changed. Lines are
-- chained in the background, so that those who write them wait for nobody; a line that was committed late comes later in the
-- chain than in the log.
CREATE TABLE audit_chain (
    position bigint PRIMARY KEY, -- from 1, without gaps
    audit_id bigint NOT NULL CONSTRAINT audit_chain_audit_key UNIQUE,
    hash     bytea NOT NULL      -- SHA-256 of the hash before and of what the line says
);

-- Where the chain begins after lines have been purged: the last one that is gone.
CREATE TABLE audit_anchors (
    position  bigint PRIMARY KEY,
    hash      bytea NOT NULL,
    purged_at timestamptz NOT NULL DEFAULT now()
);
