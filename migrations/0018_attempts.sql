-- +goose Up
-- Accounts and integrations are never deleted, and what stands here is copied from the item by the statement that writes
-- it. Checking that again locked the same two rows for every message of a job.
ALTER TABLE attempts DROP CONSTRAINT attempts_account_id_fkey;
ALTER TABLE attempts DROP CONSTRAINT attempts_integration_id_fkey;
ALTER TABLE events DROP CONSTRAINT events_account_id_fkey;
