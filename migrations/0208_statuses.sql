-- +goose Up
-- Properties of the services' statuses, for joins.

-- Migrate fills these tables from the rows of internal/dispatch/statuses.go. They include outcomes, by which lists and statistics
-- name items without a status. The status '' stands for every value without a row.
CREATE TABLE statuses (
    kind       text NOT NULL,
    status     text NOT NULL, -- verbatim from the service, or an outcome
    list_group text NOT NULL, -- dispatch.Group
    job_group  text NOT NULL, -- dispatch.JobGroup; '': an outcome
    route      text NOT NULL, -- dispatch.Route
    ended      boolean NOT NULL, -- final: no news is expected
    bad        boolean NOT NULL, -- the recipient will certainly not get it
    unread     boolean NOT NULL, -- it is at the recipient, unread
    read       boolean NOT NULL, -- read by the recipient; counted in times to read
    CONSTRAINT statuses_pkey PRIMARY KEY (kind, status)
);

-- The same for signing statuses. The status '' means that none was reported yet.
CREATE TABLE signing_statuses (
    status  text PRIMARY KEY,
    awaited boolean NOT NULL, -- the recipient is certainly still asked to sign
    settled boolean NOT NULL,
    signed  boolean NOT NULL
);
