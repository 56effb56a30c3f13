-- +goose Up
CREATE TABLE integrations (
    id               uuid PRIMARY KEY,
    name             text NOT NULL CONSTRAINT integrations_name_key UNIQUE,
    kind             text NOT NULL CONSTRAINT integrations_kind_check CHECK (kind IN ('sms', 'shipment_v1', 'shipment_v2')),
    service          text NOT NULL, -- name of a configured service: addresses come from configuration only
    credentials      bytea NOT NULL, -- sealed, bound to the id
    parallelism      integer NOT NULL DEFAULT 8 CONSTRAINT integrations_parallelism_check CHECK (parallelism BETWEEN 1 AND 1000),
    rate_per_second  double precision NOT NULL DEFAULT 20 CONSTRAINT integrations_rate_check CHECK (rate_per_second > 0),
    created_at       timestamptz NOT NULL DEFAULT now(),
    refused_at       timestamptz,
    refused_key      text NOT NULL DEFAULT '',
    refused_status   integer NOT NULL DEFAULT 0,
    refused_error_id text NOT NULL DEFAULT '',
    next_probe_at    timestamptz,
    stopped_at       timestamptz,
    stopped_by       text NOT NULL DEFAULT '', -- empty: by the program, after repeated uncertain answers
    uncertain_streak integer NOT NULL DEFAULT 0,
    last_used_at     timestamptz,
    last_success_at  timestamptz
);

CREATE TABLE accounts (
    id                      uuid PRIMARY KEY,
    slug                    text NOT NULL CONSTRAINT accounts_slug_key UNIQUE
                            CONSTRAINT accounts_slug_check CHECK (slug ~ '^[a-z0-9](-?[a-z0-9]){0,39}$'),
    name                    text NOT NULL,
    sms_account_id          uuid, -- kontoId at the SMS service
    shipment_account_id     uuid, -- kontoId at the shipment service
    sms_integration_id      uuid REFERENCES integrations,
    shipment_integration_id uuid REFERENCES integrations,
    sender_name             text NOT NULL DEFAULT '' CONSTRAINT accounts_sender_name_check CHECK (length(sender_name) <= 11),
    source_system           text NOT NULL DEFAULT '',
    undo_seconds            integer NOT NULL DEFAULT 60 CONSTRAINT accounts_undo_check CHECK (undo_seconds BETWEEN 0 AND 3600),
    created_at              timestamptz NOT NULL DEFAULT now()
);

-- 403 concerns one account on one integration.
CREATE TABLE account_refusals (
    account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    integration_id   uuid NOT NULL REFERENCES integrations ON DELETE CASCADE,
    refused_at       timestamptz NOT NULL DEFAULT now(),
    refused_key      text NOT NULL,
    refused_status   integer NOT NULL DEFAULT 0,
    refused_error_id text NOT NULL DEFAULT '',
    next_probe_at    timestamptz NOT NULL,
    PRIMARY KEY (account_id, integration_id)
);

CREATE TABLE users (
    id            uuid PRIMARY KEY,
    issuer        text NOT NULL,
    subject       text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    last_login_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_issuer_subject_key UNIQUE (issuer, subject)
);

-- What a value of the login's rights claim gives. A role without an account holds in the whole system.
CREATE TABLE role_mappings (
    claim_value text NOT NULL,
    account_id  uuid REFERENCES accounts ON DELETE CASCADE,
    role        text NOT NULL CONSTRAINT role_mappings_role_check
                CHECK (role IN ('caseworker', 'team_lead', 'account_admin', 'system_admin', 'auditor')),
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT role_mappings_key UNIQUE NULLS NOT DISTINCT (claim_value, account_id, role),
    CONSTRAINT role_mappings_scope_check CHECK ((account_id IS NULL) = (role = 'system_admin'))
);
