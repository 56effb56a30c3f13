-- +goose Up

-- A list as it was received stays with its draft for a day once it has been read, so that a person may have it read in
-- another way.
ALTER TABLE list_chunks ADD COLUMN kept_at timestamptz;
