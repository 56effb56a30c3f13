-- +goose Up
-- The account's pattern of references as it was when a job of shipments was sent: all of a list have theirs by one. NULL: sent by an
-- earlier release.
ALTER TABLE jobs ADD COLUMN reference_pattern text, ADD COLUMN reference_unit text;
