-- +goose Up
-- How the municipality makes the pages its own: at most one row.
CREATE TABLE themes (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    name       text NOT NULL DEFAULT '', -- of the municipality; empty: the configured one
    light      text NOT NULL DEFAULT '' CHECK (light ~ '^(#[0-9a-f]{6})?$'),
    dark       text NOT NULL DEFAULT '' CHECK (dark ~ '^(#[0-9a-f]{6})?$'),
    logo       bytea,                    -- a PNG that we encoded
    version    int NOT NULL DEFAULT 1,
    changed_by uuid NOT NULL REFERENCES users,
    changed_at timestamptz NOT NULL DEFAULT now()
);
