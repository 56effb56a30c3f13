-- +goose Up
-- Twice a year somebody looks at who has what, and signs for it.
CREATE TABLE access_reviews (
    id      uuid PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL REFERENCES users,
    people  integer NOT NULL, -- how many had something then
    note    bytea NOT NULL -- sealed, bound to the id
);
CREATE INDEX access_reviews_at_idx ON access_reviews (at DESC);
-- When somebody last did something on an account.
CREATE INDEX audit_events_actor_account_idx ON audit_events (actor_id, account_id, at DESC);
