-- +goose Up
CREATE TABLE sessions (
    token_hash text PRIMARY KEY,
    data       bytea NOT NULL, -- sealed, bound to the hash
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
