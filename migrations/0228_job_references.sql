-- +goose Up
-- The account's pattern of references when a job of shipments was sent: all shipments of a job use the same. NULL: sent by an
-- earlier release.
ALTER TABLE jobs ADD COLUMN reference_pattern text, ADD COLUMN reference_unit text;
