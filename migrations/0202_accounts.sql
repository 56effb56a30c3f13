-- +goose Up
-- Accounts, their integrations, and the roles that people have on them.

-- An integration is a connection to one of the services. The certificate is the service's public one.
CREATE TABLE integrations (
    id                     uuid PRIMARY KEY,
    name                   text NOT NULL CONSTRAINT integrations_name_key UNIQUE,
    kind                   text NOT NULL CONSTRAINT integrations_kind_check CHECK (kind IN ('sms', 'shipment_v1', 'shipment_v2')),
    service                text NOT NULL, -- name of a configured service: addresses come from configuration only
    parallelism            integer NOT NULL DEFAULT 8 CONSTRAINT integrations_parallelism_check CHECK (parallelism BETWEEN 1 AND 1000),
    rate_per_second        double precision NOT NULL DEFAULT 20 CONSTRAINT integrations_rate_check CHECK (rate_per_second > 0),
    created_at             timestamptz NOT NULL DEFAULT now(),
    refused_at             timestamptz, -- the service refuses the credentials
    refused_key            text NOT NULL DEFAULT '',
    refused_status         integer NOT NULL DEFAULT 0,
    refused_error_id       text NOT NULL DEFAULT '',
    next_probe_at          timestamptz,
    stopped_at             timestamptz, -- nothing is handed over until an administrator opens it
    stopped_by             text NOT NULL DEFAULT '', -- empty: by the program, after repeated uncertain answers
    uncertain_streak       integer NOT NULL DEFAULT 0,
    last_used_at           timestamptz,
    last_success_at        timestamptz,
    wire                   text NOT NULL DEFAULT 'spec' CONSTRAINT integrations_wire_check CHECK (wire IN ('spec', 'deployed')),
    reserve_ids            boolean NOT NULL DEFAULT true, -- startNyForsendelse before each submission (V1)
    environment            text NOT NULL DEFAULT '' -- environment of the service when it was chosen; a service of another environment is refused
        CONSTRAINT integrations_environment_check CHECK (environment IN ('', 'test', 'production')),
    version                integer NOT NULL DEFAULT 1, -- optimistic locking
    tried_at               timestamptz, -- last trial by an administrator, and the step that failed
    tried_failed           text NOT NULL DEFAULT '',
    certificate            text NOT NULL DEFAULT '', -- PEM; '': files cannot be encrypted
    key_transport          text NOT NULL DEFAULT 'oaep' CONSTRAINT integrations_key_transport_check CHECK (key_transport IN ('oaep', 'pkcs1')),
    certificate_expires_at timestamptz,
    refusal_cleared_at     timestamptz -- when an administrator last cleared a refusal: refusals of calls that began before are ignored
);

-- What an integration logs in with: one row for each set of credentials. Only the sealed column holds a secret.
CREATE TABLE credentials (
    id               uuid PRIMARY KEY,
    integration_id   uuid NOT NULL REFERENCES integrations ON DELETE CASCADE,
    state            text NOT NULL CONSTRAINT credentials_state_check CHECK (state IN ('next', 'active', 'retiring', 'wiped')),
    method           text NOT NULL DEFAULT '',
    sealed           bytea, -- bound to the integration; NULL when wiped
    created_at       timestamptz NOT NULL DEFAULT now(),
    created_by       uuid REFERENCES users,
    switch_at        timestamptz, -- when the next set takes over
    expires_at       timestamptz, -- as the administrator or the certificate states
    replaced_at      timestamptz,
    wiped_at         timestamptz,
    refused_at       timestamptz, -- set only while another set is tried instead
    refused_key      text NOT NULL DEFAULT '',
    refused_status   integer NOT NULL DEFAULT 0,
    refused_error_id text NOT NULL DEFAULT '',
    CONSTRAINT credentials_switch_check CHECK (state <> 'next' OR switch_at IS NOT NULL),
    CONSTRAINT credentials_wiped_check CHECK ((state = 'wiped') = (sealed IS NULL))
);
CREATE UNIQUE INDEX credentials_active_idx ON credentials (integration_id) WHERE state = 'active';
CREATE INDEX credentials_integration_idx ON credentials (integration_id, created_at DESC);
CREATE UNIQUE INDEX credentials_next_idx ON credentials (integration_id) WHERE state = 'next';

-- An account is the part of a municipality that sends and sees its own items.
CREATE TABLE accounts (
    id                      uuid PRIMARY KEY,
    slug                    text NOT NULL
        CONSTRAINT accounts_slug_key UNIQUE CONSTRAINT accounts_slug_check CHECK (slug ~ '^[a-z0-9](-?[a-z0-9]){0,39}$'),
    name                    text NOT NULL,
    sms_account_id          uuid, -- kontoId at the SMS service
    shipment_account_id     uuid, -- kontoId at the shipment service
    sms_integration_id      uuid REFERENCES integrations,
    shipment_integration_id uuid REFERENCES integrations,
    sender_name             text NOT NULL DEFAULT '' CONSTRAINT accounts_sender_name_check CHECK (length(sender_name) <= 11),
    source_system           text NOT NULL DEFAULT '',
    undo_seconds            integer NOT NULL DEFAULT 60 CONSTRAINT accounts_undo_check CHECK (undo_seconds BETWEEN 0 AND 3600),
    created_at              timestamptz NOT NULL DEFAULT now(),
    version                 integer NOT NULL DEFAULT 1, -- optimistic locking
    disabled_at             timestamptz,
    organization_number     text NOT NULL DEFAULT '',
    billing_code            text NOT NULL DEFAULT '',
    print_single_sided      boolean NOT NULL DEFAULT false,
    print_color             boolean NOT NULL DEFAULT false,
    watch_words             text NOT NULL DEFAULT '', -- one per line
    daytime_from            integer NOT NULL DEFAULT 0, -- minute of the day in Oslo; both 0: the whole day
    daytime_to              integer NOT NULL DEFAULT 0,
    sms_limit               integer NOT NULL DEFAULT 0 CONSTRAINT accounts_sms_limit_check CHECK (sms_limit >= 0), -- segments per month; 0: no limit
    shipment_defaults       jsonb NOT NULL DEFAULT '{}', -- reply address and archive records, as one value: no query searches a part of it
    print_rules             jsonb, -- NULL: the defaults
    unread_hours            integer NOT NULL DEFAULT 0 -- hours after which an unread shipment that may be printed becomes a follow-up; 0: never
        CONSTRAINT accounts_unread_check CHECK (unread_hours BETWEEN 0 AND 720),
    price_sms               integer NOT NULL DEFAULT 0, -- of a segment, in øre, like the two below; 0: unknown
    price_digital           integer NOT NULL DEFAULT 0,
    price_print             integer NOT NULL DEFAULT 0,
    CONSTRAINT accounts_daytime_check CHECK (
        (daytime_from = 0 AND daytime_to = 0) OR (daytime_from >= 0 AND daytime_from < daytime_to AND daytime_to <= 1440)),
    CONSTRAINT accounts_prices_check CHECK (
        least(price_sms, price_digital, price_print) >= 0 AND greatest(price_sms, price_digital, price_print) <= 1000000)
);

-- A 403 blocks one account on one integration.
CREATE TABLE account_refusals (
    account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    integration_id   uuid NOT NULL REFERENCES integrations ON DELETE CASCADE,
    refused_at       timestamptz NOT NULL DEFAULT now(),
    refused_key      text NOT NULL,
    refused_status   integer NOT NULL DEFAULT 0,
    refused_error_id text NOT NULL DEFAULT '',
    next_probe_at    timestamptz NOT NULL,
    CONSTRAINT account_refusals_pkey PRIMARY KEY (account_id, integration_id)
);

-- Earlier ids of an account at a service: items sent under an earlier id are known there only under that id.
CREATE TABLE former_service_ids (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind       text NOT NULL, -- kind of item sent under it
    service_id uuid NOT NULL,
    until      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT former_service_ids_pkey PRIMARY KEY (account_id, kind, until)
);

-- The roles that a value of the login's rights claim gives. A role without an account applies to the whole system.
CREATE TABLE role_mappings (
    claim_value text NOT NULL,
    account_id  uuid REFERENCES accounts ON DELETE CASCADE,
    role        text NOT NULL
        CONSTRAINT role_mappings_role_check CHECK (role IN ('caseworker', 'team_lead', 'account_admin', 'system_admin', 'auditor')),
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT role_mappings_key UNIQUE NULLS NOT DISTINCT (claim_value, account_id, role),
    CONSTRAINT role_mappings_scope_check CHECK (
        (role <> 'system_admin' OR account_id IS NULL) AND (account_id IS NOT NULL OR role IN ('system_admin', 'auditor')))
);

-- A random value that changes with every commit that changes rights. A process caches rights while the version, which it reads with
-- each session, is the same. It is random, since a counter could repeat after a restore.
CREATE TABLE rights_version (
    one     boolean DEFAULT true PRIMARY KEY CONSTRAINT rights_version_one_check CHECK (one),
    version uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO rights_version DEFAULT VALUES;
