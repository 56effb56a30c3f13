-- +goose Up
-- The login provider ends sessions by its own id of them, and without our cookie.
ALTER TABLE sessions ADD COLUMN sid_hash bytea; -- keyed hash; NULL where the provider gave no id
CREATE INDEX sessions_sid_idx ON sessions (sid_hash) WHERE sid_hash IS NOT NULL;
