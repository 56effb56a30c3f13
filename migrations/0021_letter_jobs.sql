-- +goose Up
-- A job may also be one letter to many recipients. It is made from the draft of a letter; when it is sent, the draft's files
-- and form become the job's, and the draft goes.
ALTER TABLE jobs
    ADD COLUMN kind text NOT NULL DEFAULT 'sms' CONSTRAINT jobs_kind_check CHECK (kind IN ('sms', 'shipment')),
    ADD COLUMN draft_id uuid REFERENCES items ON DELETE CASCADE, -- until it is sent; its id is the form's key too
    ADD COLUMN looked text NOT NULL DEFAULT '',    -- what the rows were held against last: a change of it asks for a new look
    ADD COLUMN rows_left_out integer NOT NULL DEFAULT 0, -- by a person
    ADD COLUMN pattern bytea,                      -- sealed, bound to the job: what all its letters have in common, when it was sent
    ADD COLUMN pattern_form bytea,                 -- sealed, bound to the job: the form that it was written in
    ADD COLUMN split_document uuid,                -- the file that is divided among the recipients
    ADD COLUMN split_pages integer NOT NULL DEFAULT 0,
    ADD COLUMN split_parts integer NOT NULL DEFAULT 0, -- how many parts there are of it; 0: it is not divided yet
    ADD COLUMN split_kept boolean NOT NULL DEFAULT false; -- the parts come from an earlier job, and the file is not here
CREATE UNIQUE INDEX jobs_draft_idx ON jobs (draft_id) WHERE draft_id IS NOT NULL;

-- A file belongs to a letter, or to a job: then all its letters share it. A part of a divided file belongs to the job until
-- its letter is made.
ALTER TABLE documents ALTER COLUMN item_id DROP NOT NULL;
ALTER TABLE documents
    ADD COLUMN job_id uuid REFERENCES jobs ON DELETE CASCADE,
    ADD COLUMN part integer NOT NULL DEFAULT 0, -- which part of the divided file, from 1; 0: none
    ADD CONSTRAINT documents_owner_check CHECK ((item_id IS NULL) <> (job_id IS NULL));
CREATE INDEX documents_job_idx ON documents (job_id, part) WHERE job_id IS NOT NULL;
