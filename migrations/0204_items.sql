-- +goose Up
-- Items: what an SMS and a shipment have in common, and what happens to them.

-- The row is the job: an item has our state, a due time, and the latest status from the service. Most columns change during
-- delivery, and each change writes every index: columns that lists are read by are in listed. integration_id has no foreign key:
-- checking it for every message of a job would lock the integration's row. People are never deleted, and an integration only if
-- nothing was sent over it.
CREATE TABLE items (
    id                    uuid PRIMARY KEY,
    account_id            uuid NOT NULL REFERENCES accounts,
    kind                  text NOT NULL CONSTRAINT items_kind_check CHECK (kind IN ('sms', 'shipment')),
    state                 text NOT NULL DEFAULT 'draft',
    created_at            timestamptz NOT NULL DEFAULT now(),
    created_by            uuid NOT NULL REFERENCES users,
    form_key              uuid, -- idempotency key of the form
    due_at                timestamptz, -- when it is tried next
    due_since             timestamptz, -- due time before retries
    lease_token           uuid, -- fencing token of the process that sends it
    lease_until           timestamptz,
    unavailable_count     integer NOT NULL DEFAULT 0,
    restored_at           timestamptz,
    reason_key            text NOT NULL DEFAULT '',
    reason_status         integer NOT NULL DEFAULT 0,
    reason_error_id       text NOT NULL DEFAULT '',
    reason_at             timestamptz,
    integration_id        uuid, -- that accepted it; statuses are read there
    upstream_id           uuid,
    accepted_at           timestamptz,
    status                text NOT NULL DEFAULT '',
    status_at             timestamptz,
    settled_at            timestamptz,
    checked_at            timestamptz,
    next_check_at         timestamptz,
    pulled_at             timestamptz, -- when a page view last brought the next status read forward
    check_error_key       text NOT NULL DEFAULT '',
    check_error_status    integer NOT NULL DEFAULT 0,
    check_error_id        text NOT NULL DEFAULT '',
    check_error_at        timestamptz,
    missing_reads         integer NOT NULL DEFAULT 0,
    reserved_id           uuid, -- id reserved at the service before the call (V1)
    recover_at            timestamptz, -- next look-up; NULL: none is planned
    window_ends_at        timestamptz, -- before this time, "not found" proves nothing
    pinned_integration_id uuid REFERENCES integrations, -- where it may already be: it stays there when its account moves to another integration
    job_id                uuid,
    job_position          integer,
    list_group            text NOT NULL DEFAULT 'draft', -- dispatch.Group, without the time: queued items due later count as planned
    origin_id             uuid, -- the item that it was made from
    origin_kind           text NOT NULL DEFAULT '',
    CONSTRAINT items_due_check CHECK (state <> 'queued' OR (due_at IS NOT NULL AND due_since IS NOT NULL)),
    CONSTRAINT items_form_check CHECK (form_key IS NOT NULL OR job_id IS NOT NULL),
    CONSTRAINT items_lease_check CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
    CONSTRAINT items_origin_check CHECK ((origin_id IS NULL) = (origin_kind = '') AND origin_kind IN ('', 'replaces', 'reminds')),
    CONSTRAINT items_state_check CHECK (state IN ('draft', 'queued', 'sending', 'accepted', 'rejected', 'failed', 'uncertain', 'cancelled'))
);
CREATE INDEX items_check_idx ON items (integration_id, next_check_at) WHERE next_check_at IS NOT NULL;
-- BRIN: creation times never change, so updates of items cost nearly nothing here.
CREATE INDEX items_created_idx ON items USING brin (created_at);
CREATE INDEX items_draft_idx ON items (account_id, created_by, kind, created_at DESC, id DESC) WHERE state = 'draft';
-- The queue: single messages and each job have ranges of their own, so that a scan for one skips the others.
CREATE INDEX items_due_idx ON items (account_id, kind, job_id, due_at) WHERE state = 'queued';
-- One item per idempotency key and kind, and one per row of a job.
CREATE UNIQUE INDEX items_form_key ON items (account_id, created_by, form_key, kind) WHERE job_id IS NULL;
CREATE UNIQUE INDEX items_job_idx ON items (job_id, job_position) INCLUDE (state, status, upstream_id) WHERE job_id IS NOT NULL;
-- The list of jobs asks for each whether an item is uncertain.
CREATE INDEX items_job_uncertain_idx ON items (job_id) WHERE state = 'uncertain';
CREATE INDEX items_lease_idx ON items (lease_until) WHERE state = 'sending';
CREATE INDEX items_origin_idx ON items (origin_id) WHERE origin_id IS NOT NULL;
CREATE INDEX items_pinned_idx ON items (account_id, pinned_integration_id) WHERE state = 'queued' AND pinned_integration_id IS NOT NULL;
CREATE INDEX items_planned_idx ON items (account_id, kind, due_since) WHERE state = 'queued';
CREATE INDEX items_recover_idx ON items (recover_at) WHERE recover_at IS NOT NULL;
-- Before items that others may have sent over an integration are shown: is the account its only user?
CREATE INDEX items_sent_over_idx ON items (integration_id, account_id) WHERE kind = 'shipment' AND integration_id IS NOT NULL;
CREATE INDEX items_uncertain_idx ON items (account_id, kind, created_at DESC, id DESC) WHERE state = 'uncertain';
-- Look-ups of lost shipments: which upstream ids are ours.
CREATE INDEX items_upstream_idx ON items (upstream_id) WHERE upstream_id IS NOT NULL;

-- Attempts: a row is written before the call and completed after it. Accounts, integrations and people have no foreign keys: they
-- are copied from the claim, and checking them would lock the same rows for every message.
CREATE TABLE attempts (
    id             uuid PRIMARY KEY,
    item_id        uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id     uuid NOT NULL,
    integration_id uuid,
    started_at     timestamptz NOT NULL DEFAULT now(),
    finished_at    timestamptz,
    outcome        text NOT NULL DEFAULT ''
        CONSTRAINT attempts_outcome_check CHECK (outcome IN ('', 'accepted', 'rejected', 'unavailable', 'refused', 'uncertain')),
    reason_key     text NOT NULL DEFAULT '',
    http_status    integer NOT NULL DEFAULT 0,
    error_id       text NOT NULL DEFAULT '',
    upstream_id    uuid,
    resolution     text NOT NULL DEFAULT '' CONSTRAINT attempts_resolution_check CHECK (resolution IN ('', 'sent', 'not_sent')),
    resolved_by    uuid,
    resolved_at    timestamptz,
    reserved_id    uuid,
    sent_at        timestamptz, -- when the last byte was released
    reserves       boolean NOT NULL DEFAULT false, -- an id is reserved first (V1): an attempt that died without one has certainly sent nothing
    part_id        uuid, -- batch of a call with several items
    reference      text, -- unique reference by which a lost shipment is looked up; NULL: a reserved id is used
    proven         boolean NOT NULL DEFAULT false -- the outcome proves that nothing was accepted
);
CREATE INDEX attempts_item_idx ON attempts (item_id, started_at);
CREATE INDEX attempts_part_idx ON attempts (part_id) WHERE part_id IS NOT NULL;

-- The timeline of an item. It contains nothing personal.
CREATE TABLE events (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id       uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id    uuid NOT NULL,
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind          text NOT NULL,
    actor_id      uuid,
    detail        text NOT NULL DEFAULT '',
    reason_key    text NOT NULL DEFAULT '',
    reason_status integer NOT NULL DEFAULT 0,
    error_id      text NOT NULL DEFAULT ''
);
CREATE INDEX events_item_idx ON events (item_id, id DESC);

-- The service's error about an item, complete and masked: the ErrorMessage of the latest call that had one.
CREATE TABLE answers (
    item_id    uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id uuid NOT NULL,
    sealed     bytea NOT NULL, -- bound to the item
    at         timestamptz NOT NULL DEFAULT now()
);

-- Legal holds: items that retention must not purge.
CREATE TABLE holds (
    item_id    uuid PRIMARY KEY REFERENCES items,
    account_id uuid NOT NULL REFERENCES accounts,
    reason     text NOT NULL DEFAULT '', -- written by earlier releases; empty when sealed holds it
    set_by     uuid NOT NULL REFERENCES users,
    set_at     timestamptz NOT NULL DEFAULT now(),
    sealed     bytea -- the reason, bound to the item
);
