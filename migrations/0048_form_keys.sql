-- +goose Up
-- A form makes one item, and a row of a job makes one. The index of forms was written at each step of each message of a job
-- for that; the index of rows, which is there anyway, can see to it.
ALTER TABLE items DROP CONSTRAINT items_form_key;
CREATE UNIQUE INDEX items_form_key ON items (account_id, created_by, form_key) WHERE job_id IS NULL;
ALTER TABLE items ALTER COLUMN form_key DROP NOT NULL;
ALTER TABLE items ADD CONSTRAINT items_form_check CHECK (form_key IS NOT NULL OR job_id IS NOT NULL);
DROP INDEX items_job_idx;
CREATE UNIQUE INDEX items_job_idx ON items (job_id, job_position) INCLUDE (state, status, upstream_id) WHERE job_id IS NOT NULL;
