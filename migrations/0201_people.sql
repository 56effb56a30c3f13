-- +goose Up
-- People and their logins. Rights follow from the claims of a login, see role_mappings.

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

-- Sessions. The login provider can end one by its own session id (back-channel logout), without our cookie.
CREATE TABLE sessions (
    token_hash text PRIMARY KEY,
    data       bytea NOT NULL, -- sealed, bound to the hash
    expires_at timestamptz NOT NULL,
    sid_hash   bytea -- keyed hash; NULL where the provider gave no id
);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
CREATE INDEX sessions_sid_idx ON sessions (sid_hash) WHERE sid_hash IS NOT NULL;

-- Logins with begin, end and origin: shown to the user, needed to end sessions, and for the review of access. The claims of the
-- login tell whose rights change when a mapping changes.
CREATE TABLE sign_ins (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users,
    session_hash text NOT NULL, -- key of the session, kept after it has ended
    claims       text[] NOT NULL DEFAULT '{}',
    origin       text NOT NULL DEFAULT '', -- IP address of the login
    browser      text NOT NULL DEFAULT '', -- browser family
    started_at   timestamptz NOT NULL,
    seen_at      timestamptz NOT NULL,
    ended_at     timestamptz,
    ended_how    text NOT NULL DEFAULT ''
        CONSTRAINT sign_ins_how_check CHECK (ended_how IN ('', 'logout', 'provider', 'idle', 'expired', 'rights', 'elsewhere', 'again'))
);
CREATE INDEX sign_ins_session_idx ON sign_ins (session_hash) WHERE ended_at IS NULL;
CREATE INDEX sign_ins_user_idx ON sign_ins (user_id, started_at DESC);

-- Twice a year somebody reviews who has which access, and signs for it.
CREATE TABLE access_reviews (
    id      uuid PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    user_id uuid NOT NULL REFERENCES users,
    people  integer NOT NULL, -- how many people had access then
    note    bytea NOT NULL -- sealed, bound to the id
);
CREATE INDEX access_reviews_at_idx ON access_reviews (at DESC);
