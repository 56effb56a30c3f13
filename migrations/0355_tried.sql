-- +goose Up
-- When an administrator last tried a set of credentials, and the step that failed (empty: none).
ALTER TABLE credentials ADD COLUMN tried_at timestamptz, ADD COLUMN tried_failed text NOT NULL DEFAULT '';
UPDATE credentials c SET tried_at = i.tried_at, tried_failed = i.tried_failed FROM integrations i WHERE i.id = c.integration_id AND i.tried_set = c.id;
