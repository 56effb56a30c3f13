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
    form_key         uuid NOT NULL, -- of the form that made it
    state            text NOT NULL DEFAULT 'draft'
        CONSTRAINT jobs_state_check CHECK (state IN ('draft', 'running', 'paused', 'stopped', 'done')),
    mode             text NOT NULL DEFAULT 'traceable' CONSTRAINT jobs_mode_check CHECK (mode IN ('traceable', 'fast')),
    content          bytea, -- sealed, bound to the job: the text with its placeholders, and the names of the list's columns
    hide_in_report   boolean NOT NULL DEFAULT false,
    fingerprint      bytea, -- keyed hash of list and text: the same again on the same day is asked about first
    rows_read        integer NOT NULL DEFAULT 0, -- what the list holds, as transactions that change it leave it
    rows_valid       integer NOT NULL DEFAULT 0,
    rows_duplicate   integer NOT NULL DEFAULT 0,
    rows_foreign     integer NOT NULL DEFAULT 0,
    rows_phone       integer NOT NULL DEFAULT 0, -- different phone numbers of valid ones
    rows_unfit       integer NOT NULL DEFAULT 0, -- valid ones whose own text cannot be sent
    parts            bigint NOT NULL DEFAULT 0,
    sent_at          timestamptz,
    due_at           timestamptz,
    recipients       integer NOT NULL DEFAULT 0, -- how many items it has when all are made
    made             integer NOT NULL DEFAULT 0, -- how many there are
    made_to          integer NOT NULL DEFAULT 0, -- the row that they are made up to
    made_at          timestamptz, -- when the last one was made
    stopped_at       timestamptz,
    done_at          timestamptz,
    restored_at      timestamptz,
    send_at          timestamptz, -- NULL: when it is sent
    urgent           boolean NOT NULL DEFAULT false,
    template_id      uuid,
    template_version integer,
    template_form    text NOT NULL DEFAULT '',
    found            boolean NOT NULL DEFAULT false, -- the phones are the register's: nobody here has typed them
    rows_warned      integer NOT NULL DEFAULT 0, -- valid ones
    kind             text NOT NULL DEFAULT 'sms' CONSTRAINT jobs_kind_check CHECK (kind IN ('sms', 'shipment')),
    draft_id         uuid REFERENCES items ON DELETE CASCADE, -- until it is sent; its id is the form's key too
    looked           text NOT NULL DEFAULT '', -- what the rows were held against last: a change of it asks for a new look
    rows_left_out    integer NOT NULL DEFAULT 0, -- by a person
    pattern          bytea, -- sealed, bound to the job: what all its shipments have in common, when it was sent
    pattern_form     bytea, -- sealed, bound to the job: the form that it was written in
    split_document   uuid, -- the file that is divided among the recipients
    split_pages      integer NOT NULL DEFAULT 0,
    split_parts      integer NOT NULL DEFAULT 0, -- how many parts there are of it; 0: it is not divided yet
    split_kept       boolean NOT NULL DEFAULT false, -- the parts come from an earlier job, and the file is not here
    revision         integer NOT NULL DEFAULT 0, -- counted up by every change of the draft but sealing with a new key
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

-- One row of a list. The hashes find duplicates; the content is sealed, bound to job and position. There is no foreign key: rows
-- are only written while their job is locked, and a trigger removes them with it.
CREATE TABLE job_rows (
    job_id         uuid NOT NULL,
    position       integer NOT NULL, -- line of a text, row of a sheet
    content        bytea NOT NULL,
    recipient_hash bytea, -- NULL: no recipient could be read
    phone_hash     bytea, -- of the row's phone number, also when the recipient is a national id
    foreign_number boolean NOT NULL DEFAULT false,
    problem        text NOT NULL DEFAULT '', -- key of what is wrong with it
    unfit          boolean NOT NULL DEFAULT false, -- its own text cannot be sent
    warned         boolean NOT NULL DEFAULT false, -- something is to be looked at; what, is sealed with the row
    repeats        boolean NOT NULL DEFAULT false, -- of a fast job: an earlier row has its phone number
    look_hash      bytea, -- of a part that is in doubt; NULL: none is
    CONSTRAINT job_rows_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX job_rows_problem_idx ON job_rows (job_id, position) WHERE problem <> '' OR unfit;
CREATE INDEX job_rows_warned_idx ON job_rows (job_id, position) WHERE warned;

-- The list as it was received, in sealed pieces of 1 MiB: until its rows are read, and for a day after that with its draft, so
-- that it may be read in another way.
CREATE TABLE list_chunks (
    job_id     uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position   integer NOT NULL,
    data       bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    kept_at    timestamptz, -- since when it is kept after having been read
    CONSTRAINT list_chunks_pkey PRIMARY KEY (job_id, "position")
);
ALTER TABLE list_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- A part of a divided file that may not be its recipient's goes only when a person has looked at it: remembered by a keyed hash
-- of the part's content and the recipient.
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
