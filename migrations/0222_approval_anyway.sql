-- +goose Up
-- The sender has confirmed that the same was sent to the same list earlier that day.
ALTER TABLE approvals ADD COLUMN anyway boolean NOT NULL DEFAULT false;
