-- +goose Up
-- Own files: each row of a list may name a file. The file belongs to the job like a slice of a divided file, and its part is -1
-- while no row, or more than one, names it.
ALTER TABLE documents ADD COLUMN own_name text NOT NULL DEFAULT ''; -- name in comparable form; empty: not an own file
CREATE UNIQUE INDEX documents_own_name_idx ON documents (job_id, own_name) WHERE own_name <> '' AND complete;
ALTER TABLE jobs DROP CONSTRAINT jobs_split_by_check, ADD CONSTRAINT jobs_split_by_check CHECK (split_by IN ('pages', 'mark', 'address', 'files'));
