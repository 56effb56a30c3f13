-- +goose Up
-- A job is one text to many recipients. Its rows are the list as it was read; each valid row becomes an item when the
-- job is sent, so that delivery, attempts and statuses are those of every SMS.
CREATE TABLE jobs (
    id              uuid PRIMARY KEY,
    account_id      uuid NOT NULL REFERENCES accounts,
    created_by      uuid NOT NULL REFERENCES users,
    created_at      timestamptz NOT NULL DEFAULT now(),
    form_key        uuid NOT NULL, -- of the form that made it
    state           text NOT NULL DEFAULT 'draft' CONSTRAINT jobs_state_check
                    CHECK (state IN ('draft', 'running', 'paused', 'stopped', 'done')),
    mode            text NOT NULL DEFAULT 'traceable' CONSTRAINT jobs_mode_check CHECK (mode IN ('traceable', 'fast')),
    content         bytea,         -- sealed, bound to the job: the text with its placeholders, and the names of the list's columns
    hide_in_report  boolean NOT NULL DEFAULT false,
    fingerprint     bytea,         -- keyed hash of list and text: the same again on the same day is asked about first
    rows_read       integer NOT NULL DEFAULT 0, -- what the list holds, as transactions that change it leave it
    rows_valid      integer NOT NULL DEFAULT 0,
    rows_duplicate  integer NOT NULL DEFAULT 0,
    rows_foreign    integer NOT NULL DEFAULT 0,
    rows_phone      integer NOT NULL DEFAULT 0, -- different phone numbers of valid ones
    rows_unfit      integer NOT NULL DEFAULT 0, -- valid ones whose own text cannot be sent
    parts           bigint NOT NULL DEFAULT 0,
    sent_at         timestamptz,
    due_at          timestamptz,
    recipients      integer NOT NULL DEFAULT 0, -- how many items it has when all are made
    made            integer NOT NULL DEFAULT 0, -- how many there are
    made_to         integer NOT NULL DEFAULT 0, -- the row that they are made up to
    made_at         timestamptz,                -- when the last one was made
    stopped_at      timestamptz,
    done_at         timestamptz,
    restored_at     timestamptz,
    CONSTRAINT jobs_form_key UNIQUE (account_id, created_by, form_key)
);
CREATE INDEX jobs_list_idx ON jobs (account_id, created_at DESC, id DESC);
CREATE INDEX jobs_active_idx ON jobs (account_id) WHERE state IN ('running', 'paused');
CREATE INDEX jobs_making_idx ON jobs (sent_at) WHERE sent_at IS NOT NULL AND made_at IS NULL;
CREATE INDEX jobs_fingerprint_idx ON jobs (account_id, fingerprint, sent_at) WHERE fingerprint IS NOT NULL;

-- One row of a list. The hashes find duplicates; what the row says is sealed, bound to job and position.
CREATE TABLE job_rows (
    job_id         uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position       integer NOT NULL, -- line of a text, row of a sheet
    content        bytea NOT NULL,
    recipient_hash bytea,            -- NULL: no recipient could be read
    phone_hash     bytea,            -- of the row's phone number, also when the recipient is a national id
    foreign_number boolean NOT NULL DEFAULT false,
    problem        text NOT NULL DEFAULT '', -- key of what is wrong with it
    unfit          boolean NOT NULL DEFAULT false, -- its own text cannot be sent
    PRIMARY KEY (job_id, position)
);
CREATE INDEX job_rows_problem_idx ON job_rows (job_id, position) WHERE problem <> '' OR unfit;
CREATE INDEX job_rows_phone_idx ON job_rows (job_id, phone_hash) WHERE phone_hash IS NOT NULL;

-- The list as it was received, in sealed pieces of 1 MiB, until its rows are read.
CREATE TABLE list_chunks (
    job_id   uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position integer NOT NULL,
    data     bytea NOT NULL,
    PRIMARY KEY (job_id, position)
);
ALTER TABLE list_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

ALTER TABLE items ADD COLUMN job_id uuid REFERENCES jobs;
ALTER TABLE items ADD COLUMN job_position integer;
CREATE INDEX items_job_idx ON items (job_id, job_position) INCLUDE (state, status, upstream_id) WHERE job_id IS NOT NULL;
-- Single messages and each job wait in lines of their own: nobody looks through ten thousand for the one.
DROP INDEX items_due_idx;
CREATE INDEX items_due_idx ON items (account_id, kind, job_id, due_at) WHERE state = 'queued';

-- The attempts of one call that hands many over.
ALTER TABLE attempts ADD COLUMN part_id uuid;
CREATE INDEX attempts_part_idx ON attempts (part_id) WHERE part_id IS NOT NULL;
