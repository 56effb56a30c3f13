-- +goose Up
-- When an alarm's condition ended, if a statement ended it: the watch finds it gone only later.
ALTER TABLE alarms ADD COLUMN passed_at timestamptz;
