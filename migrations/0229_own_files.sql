-- +goose Up
-- Each row of a list may have a file of its own, which it names. Such a file belongs to the job like a part of a divided one, and its
-- part is -1 while no row, or more than one, names it: nobody gets it.
ALTER TABLE documents ADD COLUMN own_name text NOT NULL DEFAULT ''; -- its name as names are compared; empty: it is no such file
CREATE UNIQUE INDEX documents_own_name_idx ON documents (job_id, own_name) WHERE own_name <> '' AND complete;
ALTER TABLE jobs DROP CONSTRAINT jobs_split_by_check, ADD CONSTRAINT jobs_split_by_check CHECK (split_by IN ('pages', 'mark', 'address', 'files'));
