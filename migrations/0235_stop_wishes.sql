-- +goose Up
-- Who asked that an item be stopped while a call was under way. The wish is kept until it is known whether it was sent.
ALTER TABLE items
    ADD COLUMN stop_asked_by uuid REFERENCES users,
    ADD COLUMN stop_asked_at timestamptz,
    ADD CONSTRAINT items_stop_asked_check CHECK ((stop_asked_by IS NULL) = (stop_asked_at IS NULL));
