-- +goose Up
-- Whether who asked for approval has said that it goes although the same was sent to the same list that day.
ALTER TABLE approvals ADD COLUMN anyway boolean NOT NULL DEFAULT false;
