-- +goose Up
-- The row is the job: an item has a state of ours, a due time, and the status that the service last told.
CREATE TABLE items (
    id                 uuid PRIMARY KEY,
    account_id         uuid NOT NULL REFERENCES accounts,
    kind               text NOT NULL CONSTRAINT items_kind_check CHECK (kind IN ('sms')),
    state              text NOT NULL DEFAULT 'draft' CONSTRAINT items_state_check
                       CHECK (state IN ('draft', 'queued', 'sending', 'accepted', 'rejected', 'failed', 'uncertain', 'cancelled')),
    created_at         timestamptz NOT NULL DEFAULT now(),
    created_by         uuid NOT NULL REFERENCES users,
    form_key           uuid NOT NULL, -- of the form that made it: the same form makes one item, however often it is posted
    due_at             timestamptz,   -- when it is tried next
    due_since          timestamptz,   -- when it should have gone
    lease_token        uuid,
    lease_until        timestamptz,
    unavailable_count  integer NOT NULL DEFAULT 0,
    restored_at        timestamptz,
    reason_key         text NOT NULL DEFAULT '',
    reason_status      integer NOT NULL DEFAULT 0,
    reason_error_id    text NOT NULL DEFAULT '',
    reason_at          timestamptz,
    integration_id     uuid REFERENCES integrations, -- that accepted it; reads go there
    upstream_id        uuid,
    accepted_at        timestamptz,
    status             text NOT NULL DEFAULT '',
    status_at          timestamptz,
    settled_at         timestamptz,
    checked_at         timestamptz,
    next_check_at      timestamptz,
    pulled_at          timestamptz, -- when somebody's look last pulled the next check forward
    check_error_key    text NOT NULL DEFAULT '',
    check_error_status integer NOT NULL DEFAULT 0,
    check_error_id     text NOT NULL DEFAULT '',
    check_error_at     timestamptz,
    missing_reads      integer NOT NULL DEFAULT 0,
    CONSTRAINT items_form_key UNIQUE (account_id, created_by, form_key),
    CONSTRAINT items_due_check CHECK (state <> 'queued' OR (due_at IS NOT NULL AND due_since IS NOT NULL)),
    CONSTRAINT items_lease_check CHECK ((state = 'sending') = (lease_until IS NOT NULL))
);
CREATE INDEX items_list_idx ON items (account_id, kind, created_at DESC, id DESC);
CREATE INDEX items_due_idx ON items (account_id, kind, due_at) WHERE state = 'queued';
CREATE INDEX items_lease_idx ON items (lease_until) WHERE state = 'sending';
CREATE INDEX items_uncertain_idx ON items (account_id, kind, created_at DESC, id DESC) WHERE state = 'uncertain';
CREATE INDEX items_check_idx ON items (integration_id, next_check_at) WHERE next_check_at IS NOT NULL;

-- Every call that hands an item over: written before the call, completed after it.
CREATE TABLE attempts (
    id             uuid PRIMARY KEY,
    item_id        uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id     uuid NOT NULL REFERENCES accounts,
    integration_id uuid REFERENCES integrations,
    started_at     timestamptz NOT NULL DEFAULT now(),
    finished_at    timestamptz,
    outcome        text NOT NULL DEFAULT '' CONSTRAINT attempts_outcome_check
                   CHECK (outcome IN ('', 'accepted', 'rejected', 'unavailable', 'refused', 'uncertain')),
    reason_key     text NOT NULL DEFAULT '',
    http_status    integer NOT NULL DEFAULT 0,
    error_id       text NOT NULL DEFAULT '',
    upstream_id    uuid,
    resolution     text NOT NULL DEFAULT '' CONSTRAINT attempts_resolution_check CHECK (resolution IN ('', 'sent', 'not_sent')),
    resolved_by    uuid REFERENCES users,
    resolved_at    timestamptz
);
CREATE INDEX attempts_item_idx ON attempts (item_id, started_at);

-- The timeline of an item. Nothing personal stands in it.
CREATE TABLE events (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id       uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id    uuid NOT NULL REFERENCES accounts,
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind          text NOT NULL,
    actor_id      uuid REFERENCES users,
    detail        text NOT NULL DEFAULT '',
    reason_key    text NOT NULL DEFAULT '',
    reason_status integer NOT NULL DEFAULT 0,
    error_id      text NOT NULL DEFAULT ''
);
CREATE INDEX events_item_idx ON events (item_id, id DESC);
