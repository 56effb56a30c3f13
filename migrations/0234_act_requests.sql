-- +goose Up
-- Acts of an administrator that another one must approve. One row per request; a trigger enforces that it is decided once.
CREATE TABLE act_requests (
    id         uuid PRIMARY KEY,
    act        text NOT NULL CONSTRAINT act_requests_act_check CHECK (act IN ('open', 'delete', 'retention')),
    object_id  uuid, -- an integration; no foreign key, since the act may delete it. NULL: the whole system
    name       text NOT NULL, -- name of the object at that time
    seen       text NOT NULL, -- state of the object when approval was requested
    change     text NOT NULL DEFAULT '', -- the new value
    reason     text NOT NULL,
    state      text NOT NULL DEFAULT 'waiting'
        CONSTRAINT act_requests_state_check CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
    asked_by   uuid NOT NULL REFERENCES users,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    decided_by uuid REFERENCES users,
    decided_at timestamptz,
    CONSTRAINT act_requests_decided_check CHECK (
        (state = 'waiting') = (decided_at IS NULL) AND (state IN ('waiting', 'expired')) = (decided_by IS NULL)),
    CONSTRAINT act_requests_own_check CHECK (state NOT IN ('approved', 'refused') OR decided_by <> asked_by)
);
CREATE UNIQUE INDEX act_requests_key ON act_requests (act, object_id) NULLS NOT DISTINCT WHERE state = 'waiting';
CREATE INDEX act_requests_asked_idx ON act_requests (asked_at DESC, id DESC);

-- Rights get an id for the address of the page that asks before an act: the claim's value must not stand in a URL.
ALTER TABLE role_mappings ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT role_mappings_id_key UNIQUE;
