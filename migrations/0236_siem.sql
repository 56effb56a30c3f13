-- +goose Up
-- Cursor of the hand-over to a log server, in the order of the hash chain. The process with the lease hands over.
CREATE TABLE siem_cursor (
    one         boolean DEFAULT true PRIMARY KEY CONSTRAINT siem_cursor_one_check CHECK (one),
    position    bigint NOT NULL DEFAULT 0, -- last position that the server accepted
    sent_at     timestamptz,
    fault       text NOT NULL DEFAULT '', -- kind of the last failure, never the server's own text
    tries       integer NOT NULL DEFAULT 0,
    next_at     timestamptz NOT NULL DEFAULT '-infinity',
    lease_token uuid,
    lease_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO siem_cursor DEFAULT VALUES;
