-- +goose Up
-- A team lead's questions. Whether public holidays count in the service's reading deadline is not known: the account says.
ALTER TABLE accounts ADD COLUMN holidays_count boolean NOT NULL DEFAULT false;

-- What has failed since a day and is not put right, also where a person has marked it as followed up.
CREATE INDEX follow_ups_failed_idx ON follow_ups (account_id, since DESC, item_id) WHERE ended_at IS NULL AND cause IN ('uncertain', 'rejected', 'failed', 'not_delivered');
