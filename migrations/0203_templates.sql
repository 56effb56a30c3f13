-- +goose Up
-- Templates of SMS texts, and of the choices of a shipment.

-- The text of an SMS template is written for everybody and names nobody, so it is stored in plaintext. Choices of a shipment may
-- name somebody in the municipality: they are sealed.
CREATE TABLE templates (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES accounts,
    name        text NOT NULL, -- of the newest version
    version     integer NOT NULL DEFAULT 1, -- of the newest version; optimistic locking
    created_at  timestamptz NOT NULL DEFAULT now(),
    archived_at timestamptz, -- no longer offered; what was sent with it still refers to it
    archived_by uuid REFERENCES users,
    kind        text NOT NULL DEFAULT 'sms' CONSTRAINT templates_kind_check CHECK (kind IN ('sms', 'shipment')),
    CONSTRAINT templates_account_key UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX templates_name_key ON templates (account_id, lower(name)) WHERE archived_at IS NULL;

-- Every change adds a version; none is ever changed.
CREATE TABLE template_versions (
    account_id    uuid NOT NULL,
    template_id   uuid NOT NULL,
    version       integer NOT NULL,
    name          text NOT NULL,
    text          text NOT NULL, -- bokmål
    nynorsk       text NOT NULL DEFAULT '', -- empty: the template is in bokmål only
    restored_from integer, -- the older version that was restored
    created_at    timestamptz NOT NULL DEFAULT now(),
    created_by    uuid NOT NULL REFERENCES users,
    choices       bytea, -- sealed, bound to template and version; NULL: an SMS
    CONSTRAINT template_versions_pkey PRIMARY KEY (account_id, template_id, version),
    CONSTRAINT template_versions_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id)
);
