-- +goose Up
-- Items: what an SMS and a shipment have in common, and what happens to them.

-- The row is the job: an item has a state of ours, a due time, and the status that the service last told. Most columns change
-- during delivery, and each change writes every index: what lists are read by stands in listed.
-- integration_id has no foreign key: checking it for every message of a job locked the integration's one row. People are never
-- deleted, an integration only when nothing was sent over it.
CREATE TABLE items (
    id                    uuid PRIMARY KEY,
    account_id            uuid NOT NULL REFERENCES accounts,
    kind                  text NOT NULL CONSTRAINT items_kind_check CHECK (kind IN ('sms', 'shipment')),
    state                 text NOT NULL DEFAULT 'draft',
    created_at            timestamptz NOT NULL DEFAULT now(),
    created_by            uuid NOT NULL REFERENCES users,
    form_key              uuid, -- of the form that made it: the same form makes one item, however often it is posted
    due_at                timestamptz, -- when it is tried next
    due_since             timestamptz, -- when it should have gone
    lease_token           uuid, -- fencing token of the process that sends it
    lease_until           timestamptz,
    unavailable_count     integer NOT NULL DEFAULT 0,
    restored_at           timestamptz,
    reason_key            text NOT NULL DEFAULT '',
    reason_status         integer NOT NULL DEFAULT 0,
    reason_error_id       text NOT NULL DEFAULT '',
    reason_at             timestamptz,
    integration_id        uuid, -- that accepted it; reads go there
    upstream_id           uuid,
    accepted_at           timestamptz,
    status                text NOT NULL DEFAULT '',
    status_at             timestamptz,
    settled_at            timestamptz,
    checked_at            timestamptz,
    next_check_at         timestamptz,
    pulled_at             timestamptz, -- when somebody's look last pulled the next check forward
    check_error_key       text NOT NULL DEFAULT '',
    check_error_status    integer NOT NULL DEFAULT 0,
    check_error_id        text NOT NULL DEFAULT '',
    check_error_at        timestamptz,
    missing_reads         integer NOT NULL DEFAULT 0,
    reserved_id           uuid, -- reserved at the service before the call
    recover_at            timestamptz, -- next look-up; NULL: none is planned
    window_ends_at        timestamptz, -- before this, "not there" proves nothing
    pinned_integration_id uuid REFERENCES integrations, -- where it may already be: it stays there when its account moves to another
    job_id                uuid,
    job_position          integer,
    list_group            text NOT NULL DEFAULT 'draft', -- dispatch.Group, without the time: queued ones that are due later are planned
    origin_id             uuid, -- the item that it was made from
    origin_kind           text NOT NULL DEFAULT '',
    CONSTRAINT items_due_check CHECK (state <> 'queued' OR (due_at IS NOT NULL AND due_since IS NOT NULL)),
    CONSTRAINT items_form_check CHECK (form_key IS NOT NULL OR job_id IS NOT NULL),
    CONSTRAINT items_lease_check CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
    CONSTRAINT items_origin_check CHECK ((origin_id IS NULL) = (origin_kind = '') AND origin_kind IN ('', 'replaces', 'reminds')),
    CONSTRAINT items_state_check CHECK (state IN ('draft', 'queued', 'sending', 'accepted', 'rejected', 'failed', 'uncertain', 'cancelled'))
);
CREATE INDEX items_check_idx ON items (integration_id, next_check_at) WHERE next_check_at IS NOT NULL;
-- Times do not change, so that this costs nearly nothing when items do.
CREATE INDEX items_created_idx ON items USING brin (created_at);
CREATE INDEX items_draft_idx ON items (account_id, created_by, kind, created_at DESC, id DESC) WHERE state = 'draft';
-- Single messages and each job wait in lines of their own: nobody looks through ten thousand for the one.
CREATE INDEX items_due_idx ON items (account_id, kind, job_id, due_at) WHERE state = 'queued';
-- A form makes one item of its kind, however often it is posted, and a row of a job makes one.
CREATE UNIQUE INDEX items_form_key ON items (account_id, created_by, form_key, kind) WHERE job_id IS NULL;
CREATE UNIQUE INDEX items_job_idx ON items (job_id, job_position) INCLUDE (state, status, upstream_id) WHERE job_id IS NOT NULL;
-- A list of jobs asks of each whether something of it is uncertain.
CREATE INDEX items_job_uncertain_idx ON items (job_id) WHERE state = 'uncertain';
CREATE INDEX items_lease_idx ON items (lease_until) WHERE state = 'sending';
CREATE INDEX items_origin_idx ON items (origin_id) WHERE origin_id IS NOT NULL;
CREATE INDEX items_pinned_idx ON items (account_id, pinned_integration_id) WHERE state = 'queued' AND pinned_integration_id IS NOT NULL;
CREATE INDEX items_planned_idx ON items (account_id, kind, due_since) WHERE state = 'queued';
CREATE INDEX items_recover_idx ON items (recover_at) WHERE recover_at IS NOT NULL;
-- Whether an account is alone with an integration is asked before what others may have sent over it is shown.
CREATE INDEX items_sent_over_idx ON items (integration_id, account_id) WHERE kind = 'shipment' AND integration_id IS NOT NULL;
CREATE INDEX items_uncertain_idx ON items (account_id, kind, created_at DESC, id DESC) WHERE state = 'uncertain';
-- Look-ups of lost shipments ask which ids are ours.
CREATE INDEX items_upstream_idx ON items (upstream_id) WHERE upstream_id IS NOT NULL;

-- Every call that hands an item over: written before the call, completed after it. Accounts, integrations and people have no
-- foreign keys here: they are copied from the claim, and checking them locked the same rows for every message.
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
    sent_at        timestamptz, -- when the last byte was let go
    reserves       boolean NOT NULL DEFAULT false, -- an id is reserved first: an attempt that died without one has surely sent nothing
    part_id        uuid, -- of one call that hands many over
    reference      text, -- what a lost shipment is found again by, unique to it; NULL: under a reserved id
    proven         boolean NOT NULL DEFAULT false -- the outcome is proof that nothing was brought over
);
CREATE INDEX attempts_item_idx ON attempts (item_id, started_at);
CREATE INDEX attempts_part_idx ON attempts (part_id) WHERE part_id IS NOT NULL;

-- The timeline of an item. Nothing personal stands in it.
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

-- What a service said, whole and masked, when it did not take an item: the ErrorMessage of the latest call that had one.
CREATE TABLE answers (
    item_id    uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id uuid NOT NULL,
    sealed     bytea NOT NULL, -- bound to the item
    at         timestamptz NOT NULL DEFAULT now()
);

-- Legal holds: what is kept although its time is up.
CREATE TABLE holds (
    item_id    uuid PRIMARY KEY REFERENCES items,
    account_id uuid NOT NULL REFERENCES accounts,
    reason     text NOT NULL DEFAULT '', -- of earlier releases, empty when it is sealed
    set_by     uuid NOT NULL REFERENCES users,
    set_at     timestamptz NOT NULL DEFAULT now(),
    sealed     bytea -- the reason, bound to the item
);
