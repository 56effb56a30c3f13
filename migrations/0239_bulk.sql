-- +goose Up
-- Acts on chosen items, done in batches by any free process, so that a hundred thousand take no longer answer than one.

CREATE TABLE bulk_acts (
    id          uuid PRIMARY KEY, -- random
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    form_key    uuid NOT NULL, -- idempotency key
    act         text NOT NULL,
    terms       bytea NOT NULL, -- sealed, bound to the id: reason, note, decision
    origin      text NOT NULL DEFAULT '', -- IP address of the request
    lead        boolean NOT NULL, -- the user may exceed the budget
    total       integer NOT NULL DEFAULT 0,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    attempt     integer NOT NULL DEFAULT 0, -- fencing token
    lease_until timestamptz,
    done_at     timestamptz,
    CONSTRAINT bulk_acts_form_key UNIQUE (account_id, user_id, form_key)
);
CREATE INDEX bulk_acts_expires_idx ON bulk_acts (expires_at);
CREATE INDEX bulk_acts_waiting_idx ON bulk_acts (created_at) WHERE done_at IS NULL;

-- The chosen items. There is no foreign key: an item that is purged meanwhile is reported as changed.
CREATE TABLE bulk_items (
    bulk_id  uuid NOT NULL REFERENCES bulk_acts ON DELETE CASCADE,
    position integer NOT NULL,
    item_id  uuid NOT NULL,
    result   text NOT NULL DEFAULT '', -- dispatch.BulkResult; empty: not done yet
    CONSTRAINT bulk_items_pkey PRIMARY KEY (bulk_id, "position")
);
CREATE INDEX bulk_items_waiting_idx ON bulk_items (bulk_id, "position") WHERE result = '';
