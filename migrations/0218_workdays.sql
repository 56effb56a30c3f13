-- +goose Up
-- An account may send SMS on working days only.
ALTER TABLE accounts ADD COLUMN workdays boolean NOT NULL DEFAULT false;
