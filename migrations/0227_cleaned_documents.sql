-- +goose Up
-- A cleaned copy replaces a file of a draft. The original belongs to the copy until the draft is sent: it is deleted with it, and
-- can be restored.
ALTER TABLE documents
    ADD COLUMN replaced_by uuid CONSTRAINT documents_replaced_by_fkey REFERENCES documents ON DELETE CASCADE,
    ADD COLUMN cleaned jsonb, -- what was removed; null: nothing
    DROP CONSTRAINT documents_owner_check,
    ADD CONSTRAINT documents_owner_check CHECK (num_nonnulls(item_id, job_id, replaced_by) = 1);
CREATE UNIQUE INDEX documents_replaced_idx ON documents (replaced_by) WHERE replaced_by IS NOT NULL;
