-- +goose Up
-- The item that a row of a list is sent in place of: a draft that was made to those whom a bulk sending did not reach.
ALTER TABLE job_rows ADD COLUMN replaces uuid;
CREATE INDEX job_rows_replaces_idx ON job_rows (replaces) WHERE replaces IS NOT NULL;
