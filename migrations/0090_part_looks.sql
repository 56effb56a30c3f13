-- +goose Up
-- A part of a divided file that may not be its recipient's goes only when a person has looked at it. What was looked at is
-- remembered by a keyed hash of the part's content and the recipient: another part, or another recipient, asks again.
ALTER TABLE job_rows ADD COLUMN look_hash bytea; -- of a part that is in doubt; NULL: none is
CREATE TABLE part_looks (
    job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    look_hash bytea NOT NULL,
    user_id uuid NOT NULL REFERENCES users,
    looked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (job_id, look_hash)
);
