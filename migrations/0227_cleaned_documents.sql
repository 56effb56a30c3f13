-- +goose Up
-- A file of a draft from which a person had something removed takes the place of the one that was uploaded. That one belongs to it
-- until the draft is sent: it goes with it, and can be brought back.
ALTER TABLE documents
    ADD COLUMN replaced_by uuid CONSTRAINT documents_replaced_by_fkey REFERENCES documents ON DELETE CASCADE,
    ADD COLUMN cleaned jsonb, -- what was removed; null: nothing
    DROP CONSTRAINT documents_owner_check,
    ADD CONSTRAINT documents_owner_check CHECK (num_nonnulls(item_id, job_id, replaced_by) = 1);
CREATE UNIQUE INDEX documents_replaced_idx ON documents (replaced_by) WHERE replaced_by IS NOT NULL;
