-- +goose Up
-- Jobs: one message, or one shipment, to all rows of a list.

-- A job's rows are the list as it was read; each valid row becomes an item when the job is sent, so that delivery, attempts and
-- statuses are those of every item. A job of shipments is made from the draft of one; when it is sent, the draft's files and
-- form become the job's, and the draft goes.
CREATE TABLE jobs (
    id               uuid PRIMARY KEY,
    account_id       uuid NOT NULL REFERENCES accounts,
    created_by       uuid NOT NULL REFERENCES users,
    created_at       timestamptz NOT NULL DEFAULT now(),
    form_key         uuid NOT NULL, -- idempotency key of the form
    state            text NOT NULL DEFAULT 'draft'
        CONSTRAINT jobs_state_check CHECK (state IN ('draft', 'running', 'paused', 'stopped', 'done')),
    mode             text NOT NULL DEFAULT 'traceable' CONSTRAINT jobs_mode_check CHECK (mode IN ('traceable', 'fast')),
    content          bytea, -- sealed, bound to the job: the text with its placeholders, and the names of the list's columns
    hide_in_report   boolean NOT NULL DEFAULT false,
    fingerprint      bytea, -- keyed hash of list and text: sending the same again on the same day needs confirmation
    rows_read        integer NOT NULL DEFAULT 0, -- counts of the list, updated with every change of it
    rows_valid       integer NOT NULL DEFAULT 0,
    rows_duplicate   integer NOT NULL DEFAULT 0,
    rows_foreign     integer NOT NULL DEFAULT 0,
    rows_phone       integer NOT NULL DEFAULT 0, -- distinct phone numbers of valid rows
    rows_unfit       integer NOT NULL DEFAULT 0, -- valid rows without a valid message
    parts            bigint NOT NULL DEFAULT 0,
    sent_at          timestamptz,
    due_at           timestamptz,
    recipients       integer NOT NULL DEFAULT 0, -- number of items when all are made
    made             integer NOT NULL DEFAULT 0, -- number of items so far
    made_to          integer NOT NULL DEFAULT 0, -- row up to which items are made
    made_at          timestamptz, -- when the last one was made
    stopped_at       timestamptz,
    done_at          timestamptz,
    restored_at      timestamptz,
    send_at          timestamptz, -- NULL: when it is sent
    urgent           boolean NOT NULL DEFAULT false,
    template_id      uuid,
    template_version integer,
    template_form    text NOT NULL DEFAULT '',
    found            boolean NOT NULL DEFAULT false, -- phone numbers come from the contact register, and nobody here has typed them
    rows_warned      integer NOT NULL DEFAULT 0, -- valid rows with a warning
    kind             text NOT NULL DEFAULT 'sms' CONSTRAINT jobs_kind_check CHECK (kind IN ('sms', 'shipment')),
    draft_id         uuid REFERENCES items ON DELETE CASCADE, -- until it is sent; its id is the idempotency key too
    looked           text NOT NULL DEFAULT '', -- version of everything that rows were last checked against
    rows_left_out    integer NOT NULL DEFAULT 0, -- by a person
    pattern          bytea, -- sealed, bound to the job: what all its shipments have in common, once it is sent
    pattern_form     bytea, -- sealed, bound to the job: the form of the draft
    split_document   uuid, -- the file that is divided into slices
    split_pages      integer NOT NULL DEFAULT 0,
    split_parts      integer NOT NULL DEFAULT 0, -- number of slices; 0: not divided yet
    split_kept       boolean NOT NULL DEFAULT false, -- the slices come from an earlier job, without the divided file
    revision         integer NOT NULL DEFAULT 0, -- incremented by every change of the draft, but not by sealing anew
    CONSTRAINT jobs_form_key UNIQUE (account_id, created_by, form_key, kind),
    CONSTRAINT jobs_template_check CHECK (
        (template_id IS NULL) = (template_version IS NULL) AND (template_id IS NULL) = (template_form = '') AND template_form IN ('', 'nb', 'nn')),
    CONSTRAINT jobs_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions
);
CREATE INDEX jobs_active_idx ON jobs (account_id) WHERE state IN ('running', 'paused');
CREATE UNIQUE INDEX jobs_draft_idx ON jobs (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX jobs_fingerprint_idx ON jobs (account_id, fingerprint, sent_at) WHERE fingerprint IS NOT NULL;
CREATE INDEX jobs_list_idx ON jobs (account_id, created_at DESC, id DESC);
CREATE INDEX jobs_making_idx ON jobs (sent_at) WHERE sent_at IS NOT NULL AND made_at IS NULL;

-- Rows of a list. The hashes find duplicates; the content is sealed, bound to job and position. There is no foreign key: rows are
-- only written while their job is locked, and a trigger deletes them with it.
CREATE TABLE job_rows (
    job_id         uuid NOT NULL,
    position       integer NOT NULL, -- line of the text, or row of the sheet
    content        bytea NOT NULL,
    recipient_hash bytea, -- NULL: the recipient could not be parsed
    phone_hash     bytea, -- of the row's phone number, also when the recipient is a national id
    foreign_number boolean NOT NULL DEFAULT false,
    problem        text NOT NULL DEFAULT '', -- catalogue key; '': none
    unfit          boolean NOT NULL DEFAULT false, -- it has no valid message
    warned         boolean NOT NULL DEFAULT false, -- it has warnings, which are sealed with the row
    repeats        boolean NOT NULL DEFAULT false, -- in a fast job: an earlier row has its phone number
    look_hash      bytea, -- of a doubtful slice; NULL: none
    CONSTRAINT job_rows_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX job_rows_problem_idx ON job_rows (job_id, position) WHERE problem <> '' OR unfit;
CREATE INDEX job_rows_warned_idx ON job_rows (job_id, position) WHERE warned;

-- The uploaded list in sealed chunks of 1 MiB, until its rows are read, and for a day after that, so that it can be read with other
-- choices.
CREATE TABLE list_chunks (
    job_id     uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position   integer NOT NULL,
    data       bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    kept_at    timestamptz, -- when it was read; kept for a day from then
    CONSTRAINT list_chunks_pkey PRIMARY KEY (job_id, "position")
);
ALTER TABLE list_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- Confirmations: a doubtful slice is sent only after somebody has looked at it. The key is a keyed hash of the slice's content and
-- its recipient.
CREATE TABLE part_looks (
    job_id    uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    look_hash bytea NOT NULL,
    user_id   uuid NOT NULL REFERENCES users,
    looked_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT part_looks_pkey PRIMARY KEY (job_id, look_hash)
);

-- Items and files of jobs.
ALTER TABLE items ADD CONSTRAINT items_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs;
ALTER TABLE documents ADD CONSTRAINT documents_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs ON DELETE CASCADE;
