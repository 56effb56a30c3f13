-- +goose Up
-- An upload gives a sign of life while it comes in: what has given none for half an hour has broken off.
ALTER TABLE documents ADD COLUMN alive_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE list_chunks ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
