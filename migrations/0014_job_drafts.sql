-- +goose Up
-- What a job says beside its text: when it is to go, what its text was written from, which of its rows are to be looked
-- at, and whether its recipients were found in the contact register.
ALTER TABLE jobs ADD COLUMN send_at timestamptz; -- NULL: when it is sent
ALTER TABLE jobs ADD COLUMN urgent boolean NOT NULL DEFAULT false;

ALTER TABLE jobs
    ADD COLUMN template_id uuid,
    ADD COLUMN template_version integer,
    ADD COLUMN template_form text NOT NULL DEFAULT '',
    ADD CONSTRAINT jobs_template_check CHECK (
        (template_id IS NULL) = (template_version IS NULL) AND (template_id IS NULL) = (template_form = '') AND template_form IN ('', 'nb', 'nn')),
    ADD CONSTRAINT jobs_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions;

ALTER TABLE jobs ADD COLUMN found boolean NOT NULL DEFAULT false; -- the phones are the register's: nobody here has typed them

ALTER TABLE job_rows ADD COLUMN warned boolean NOT NULL DEFAULT false; -- something is to be looked at; what, is sealed with the row
ALTER TABLE jobs ADD COLUMN rows_warned integer NOT NULL DEFAULT 0; -- valid ones
CREATE INDEX job_rows_warned_idx ON job_rows (job_id, position) WHERE warned;
