-- +goose Up
-- When a draft of a bulk sending was last changed: retention counts from then, as for other drafts.
ALTER TABLE jobs ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
