-- +goose Up
-- For team leads. It is unknown whether public holidays count in the service's reading deadline: the account decides.
ALTER TABLE accounts ADD COLUMN holidays_count boolean NOT NULL DEFAULT false;

-- Open failures since a day, including those marked as followed up.
CREATE INDEX follow_ups_failed_idx ON follow_ups (account_id, since DESC, item_id) WHERE ended_at IS NULL AND cause IN ('uncertain', 'rejected', 'failed', 'not_delivered');
