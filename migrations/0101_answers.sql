-- +goose Up
-- What a service said, whole and masked, when it did not take an item: the ErrorMessage of the latest call that had one.
CREATE TABLE answers (
    item_id    uuid PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    account_id uuid        NOT NULL,
    sealed     bytea       NOT NULL, -- bound to the item
    at         timestamptz NOT NULL DEFAULT now()
);
