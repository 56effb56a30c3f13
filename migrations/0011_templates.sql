-- +goose Up
-- Templates of SMS texts. Their texts are written for everybody and name nobody: they are no personal data, and stand in
-- clear. What is filled in for a recipient stands in the SMS only, which is sealed.
CREATE TABLE templates (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES accounts,
    name        text NOT NULL, -- of the newest version
    version     integer NOT NULL DEFAULT 1, -- the newest; two people must not overwrite each other
    created_at  timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz, -- no longer offered; what was sent with it still refers to it
    archived_by uuid REFERENCES users,
    CONSTRAINT templates_account_key UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX templates_name_key ON templates (account_id, lower(name)) WHERE archived_at IS NULL;

-- Every change makes a version; none is ever changed.
CREATE TABLE template_versions (
    account_id    uuid NOT NULL,
    template_id   uuid NOT NULL,
    version       integer NOT NULL,
    name          text NOT NULL,
    text          text NOT NULL, -- bokmål
    nynorsk       text NOT NULL DEFAULT '', -- empty: the template is in bokmål only
    restored_from integer, -- the older version that was taken back
    created_at    timestamptz NOT NULL DEFAULT now(),
    created_by    uuid NOT NULL REFERENCES users,
    CONSTRAINT template_versions_pkey PRIMARY KEY (account_id, template_id, version),
    CONSTRAINT template_versions_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id)
);

-- What an SMS was written from, for statistics: the version and its form. The account is part of the key, so that no SMS
-- refers to another account's template.
ALTER TABLE sms
    ADD COLUMN template_id uuid,
    ADD COLUMN template_version integer,
    ADD COLUMN template_form text NOT NULL DEFAULT '',
    ADD CONSTRAINT sms_template_check CHECK (
        (template_id IS NULL) = (template_version IS NULL) AND (template_id IS NULL) = (template_form = '') AND template_form IN ('', 'nb', 'nn')),
    ADD CONSTRAINT sms_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions;
CREATE INDEX sms_template_idx ON sms (account_id, template_id) WHERE template_id IS NOT NULL;
