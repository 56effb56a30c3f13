-- +goose Up
-- Items that somebody has noted as archived in a case of the municipality's archive.
CREATE TABLE archived_items (
    item_id     uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id  uuid NOT NULL REFERENCES accounts,
    case_name   text NOT NULL, -- as typed
    archived_by uuid NOT NULL REFERENCES users,
    archived_at timestamptz NOT NULL DEFAULT now()
);

-- What is not archived yet is listed by an index of its own, of letters only: each SMS of a list would be written to it too.
ALTER TABLE listed ADD COLUMN archived boolean NOT NULL DEFAULT false; -- kept by a trigger
CREATE INDEX listed_unarchived_idx ON listed (account_id, created_at DESC, item_id DESC) WHERE kind = 'shipment' AND NOT archived;
