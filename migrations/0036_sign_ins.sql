-- +goose Up
-- Who was logged in from when to when, from where: for the person's own page, for ending sessions, and for the review of
-- who has what. The values of the login tell whom a changed right concerns.
CREATE TABLE sign_ins (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users,
    session_hash text NOT NULL, -- what the session is stored under; it outlives it
    claims       text[] NOT NULL DEFAULT '{}',
    origin       text NOT NULL DEFAULT '', -- address that the login came from
    browser      text NOT NULL DEFAULT '', -- its family
    started_at   timestamptz NOT NULL,
    seen_at      timestamptz NOT NULL,
    ended_at     timestamptz,
    ended_how    text NOT NULL DEFAULT ''
                 CONSTRAINT sign_ins_how_check CHECK (ended_how IN ('', 'logout', 'provider', 'idle', 'expired', 'rights', 'elsewhere', 'again'))
);
CREATE INDEX sign_ins_user_idx ON sign_ins (user_id, started_at DESC);
CREATE INDEX sign_ins_session_idx ON sign_ins (session_hash) WHERE ended_at IS NULL;
