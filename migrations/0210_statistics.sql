-- +goose Up
-- Statistics for team leads.

-- A change of an item adds a row in its own transaction, so that writers never wait for each other; delivery folds the rows into
-- stats. The sum of both tables always equals the items.
CREATE TABLE stat_changes (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   uuid NOT NULL,
    day          date NOT NULL, -- on which the item was created, in Oslo
    kind         text NOT NULL,
    outcome      text NOT NULL,
    sender       uuid NOT NULL,
    template_id  uuid,
    billing_code text NOT NULL,
    read_band    integer,
    sign_band    integer,
    n            bigint NOT NULL,
    parts        bigint NOT NULL
);
CREATE INDEX stat_changes_account_idx ON stat_changes (account_id, day);

-- One count for each day and each value of each dimension, not for their combinations: the number of rows does not grow with the
-- number of items.
CREATE TABLE stats (
    account_id uuid NOT NULL,
    day        date NOT NULL,
    kind       text NOT NULL,
    dimension  text NOT NULL,
    value      text NOT NULL,
    n          bigint NOT NULL,
    arrived    bigint NOT NULL,
    stopped    bigint NOT NULL,
    parts      bigint NOT NULL,
    CONSTRAINT stats_pkey PRIMARY KEY (account_id, day, dimension, kind, value)
) WITH (fillfactor = 80);
