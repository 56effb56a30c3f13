-- +goose Up
-- How far the event log has been handed over to a log server, in the order of its chain. The process that holds the lease hands over.
CREATE TABLE siem_cursor (
    one         boolean DEFAULT true PRIMARY KEY CONSTRAINT siem_cursor_one_check CHECK (one),
    position    bigint NOT NULL DEFAULT 0, -- of the chain, the last that was taken
    sent_at     timestamptz,
    fault       text NOT NULL DEFAULT '', -- why the last try failed: a kind, never what the server said
    tries       integer NOT NULL DEFAULT 0,
    next_at     timestamptz NOT NULL DEFAULT '-infinity',
    lease_token uuid,
    lease_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO siem_cursor DEFAULT VALUES;
