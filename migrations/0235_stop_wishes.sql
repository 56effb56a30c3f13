-- +goose Up
-- A user's request to stop an item while a call is running. It is stored until the outcome of the call is known.
ALTER TABLE items
    ADD COLUMN stop_asked_by uuid REFERENCES users,
    ADD COLUMN stop_asked_at timestamptz,
    ADD CONSTRAINT items_stop_asked_check CHECK ((stop_asked_by IS NULL) = (stop_asked_at IS NULL));
