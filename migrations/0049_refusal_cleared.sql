-- +goose Up
-- When a person last said that an integration, or an account on it, is mended: a refusal of a call that began before says
-- nothing of what is so now.
ALTER TABLE integrations ADD COLUMN refusal_cleared_at timestamptz;
