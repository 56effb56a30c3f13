-- +goose Up
-- Items recorded as archived in a case of the municipality's archive.
CREATE TABLE archived_items (
    item_id     uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id  uuid NOT NULL REFERENCES accounts,
    case_name   text NOT NULL, -- as typed
    archived_by uuid NOT NULL REFERENCES users,
    archived_at timestamptz NOT NULL DEFAULT now()
);

-- Index of shipments that are not archived. It leaves out SMS, since each SMS of a job would be written to it.
ALTER TABLE listed ADD COLUMN archived boolean NOT NULL DEFAULT false; -- maintained by a trigger
CREATE INDEX listed_unarchived_idx ON listed (account_id, created_at DESC, item_id DESC) WHERE kind = 'shipment' AND NOT archived;
