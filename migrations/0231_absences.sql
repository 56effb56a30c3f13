-- +goose Up
-- Absences from an account, with a deputy. An absence ends when its last day is over.
CREATE TABLE absences (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    deputy_id  uuid REFERENCES users ON DELETE CASCADE, -- NULL: nobody
    until      date NOT NULL, -- the last day, in Oslo
    set_by     uuid NOT NULL REFERENCES users,
    set_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT absences_pkey PRIMARY KEY (account_id, user_id),
    CONSTRAINT absences_deputy_check CHECK (deputy_id <> user_id)
);
CREATE INDEX absences_deputy_idx ON absences (deputy_id, account_id) WHERE deputy_id IS NOT NULL;
