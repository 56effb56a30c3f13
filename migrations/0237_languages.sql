-- +goose Up
-- The language that somebody has chosen for pages and notices; empty: the municipality's.
ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT '';
