-- +goose Up
-- People: who they are and when they were logged in. Who may do what follows from the values of their login, see
-- role_mappings.

-- Everybody who has logged in.
CREATE TABLE users (
    id            uuid PRIMARY KEY,
    issuer        text NOT NULL,
    subject       text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    last_login_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_issuer_subject_key UNIQUE (issuer, subject)
);

-- Sessions. The login provider ends them by its own id of them, and without our cookie.
CREATE TABLE sessions (
    token_hash text PRIMARY KEY,
    data       bytea NOT NULL, -- sealed, bound to the hash
    expires_at timestamptz NOT NULL,
    sid_hash   bytea -- keyed hash; NULL where the provider gave no id
);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
CREATE INDEX sessions_sid_idx ON sessions (sid_hash) WHERE sid_hash IS NOT NULL;

-- Who was logged in from when to when, from where: for the person's own page, for ending sessions, and for the review of
-- access. The values of the login tell whom a changed right concerns.
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
CREATE INDEX sign_ins_session_idx ON sign_ins (session_hash) WHERE ended_at IS NULL;
CREATE INDEX sign_ins_user_idx ON sign_ins (user_id, started_at DESC);

-- Twice a year somebody looks at who has which access, and signs for it.
CREATE TABLE access_reviews (
    id      uuid PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL REFERENCES users,
    people  integer NOT NULL, -- how many had something then
    note    bytea NOT NULL -- sealed, bound to the id
);
CREATE INDEX access_reviews_at_idx ON access_reviews (at DESC);
