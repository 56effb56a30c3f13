-- +goose Up
-- Which page saved the form of a draft last. A page whose answer was lost does not know the version that it made itself, and is no other tab.
ALTER TABLE shipments ADD COLUMN saved_by uuid; -- random id of the page
ALTER TABLE shipments ADD COLUMN saved_number integer NOT NULL DEFAULT 0; -- of the save on that page
ALTER TABLE shipments ADD COLUMN saved_version integer NOT NULL DEFAULT 0; -- that it made
