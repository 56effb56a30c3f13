-- +goose Up
-- Who did what, when. Numbers, texts and names of recipients never stand here.
CREATE TABLE audit_events (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_id   uuid REFERENCES users,
    account_id uuid REFERENCES accounts,
    action     text NOT NULL,
    object_id  uuid,
    details    jsonb NOT NULL DEFAULT '{}',
    origin     text NOT NULL DEFAULT '' -- address that the request came from
);
CREATE INDEX audit_events_at_idx ON audit_events (at DESC, id DESC);
CREATE INDEX audit_events_object_idx ON audit_events (object_id) WHERE object_id IS NOT NULL;
