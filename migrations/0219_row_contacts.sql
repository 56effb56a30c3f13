-- +goose Up
-- What the contact register said about the rows of a draft's list: nothing but whether there is a number that can be used. It holds
-- as long as the row has the recipient that was asked about, and is deleted when the draft is sent, and a day after the look-up.
CREATE TABLE row_contacts (
    job_id         uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position       integer NOT NULL,
    recipient_hash bytea NOT NULL, -- of the recipient that was asked about
    answer         text NOT NULL CONSTRAINT row_contacts_answer_check CHECK (answer IN ('valid', 'invalid', 'not_found', 'other')),
    asked_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT row_contacts_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX row_contacts_asked_idx ON row_contacts (asked_at);
