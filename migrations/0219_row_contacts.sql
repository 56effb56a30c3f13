-- +goose Up
-- The contact register's answers about the rows of a draft's list: only whether there is a usable number. An answer is valid while
-- the row has the same recipient. It is deleted when the draft is sent, and a day after the look-up.
CREATE TABLE row_contacts (
    job_id         uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position       integer NOT NULL,
    recipient_hash bytea NOT NULL, -- recipient asked about
    answer         text NOT NULL CONSTRAINT row_contacts_answer_check CHECK (answer IN ('valid', 'invalid', 'not_found', 'other')),
    asked_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT row_contacts_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX row_contacts_asked_idx ON row_contacts (asked_at);
