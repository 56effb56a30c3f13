-- +goose Up
-- A search that somebody runs: its words never stand in an address. It is theirs alone, on one account, for some hours.
CREATE TABLE searches (
    id         uuid PRIMARY KEY, -- random
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    content    bytea NOT NULL, -- sealed, bound to the id: the words, or the keyed hash of a number with how it is shown
    expires_at timestamptz NOT NULL
);
CREATE INDEX searches_expires_idx ON searches (expires_at);

-- What somebody chose to see and gave a name: the structured part only.
CREATE TABLE saved_filters (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name       text NOT NULL,
    query      text NOT NULL, -- as it stands in an address
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_filters_name_key ON saved_filters (account_id, user_id, lower(name));
