-- +goose Up
-- What the program knows of the services' statuses.

-- Migrate fills these from the rows of internal/dispatch/statuses.go; nobody else writes them. Beside statuses there are the
-- outcomes by which lists and numbers call an item without one. The status '' is any value without a row.
CREATE TABLE statuses (
    kind       text NOT NULL,
    status     text NOT NULL, -- verbatim, or an outcome of ours
    list_group text NOT NULL, -- dispatch.Group
    job_group  text NOT NULL, -- dispatch.JobGroup; '': an outcome of ours
    route      text NOT NULL, -- dispatch.Route
    ended      boolean NOT NULL, -- it has arrived or stopped: silence is no news
    bad        boolean NOT NULL, -- the recipient will surely not get it
    unread     boolean NOT NULL, -- it lies with the recipient, unread
    read       boolean NOT NULL, -- the recipient has read it: how long that took is counted
    CONSTRAINT statuses_pkey PRIMARY KEY (kind, status)
);

-- The same of signing statuses. The status '' says that nothing has been told yet.
CREATE TABLE signing_statuses (
    status  text PRIMARY KEY,
    awaited boolean NOT NULL, -- the recipient is surely still asked
    settled boolean NOT NULL,
    signed  boolean NOT NULL
);
