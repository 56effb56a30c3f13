-- +goose Up
-- The user's language for pages and notices; empty: the municipality's.
ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT '';
