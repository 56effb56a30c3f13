-- +goose Up
-- Who paused or stopped a job that is, and when. NULL: it goes on, or that was before this was recorded.
ALTER TABLE jobs ADD COLUMN halted_by uuid REFERENCES users, ADD COLUMN halted_at timestamptz;
