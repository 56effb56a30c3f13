-- From the schema of the migrations 1 to 102 (or to 110) to the tables from 201 on. Migrate runs it once, in the transaction that
-- marks those as applied and recreates functions, triggers and views. Every statement is idempotent.
CREATE TABLE IF NOT EXISTS statuses (
    kind       text NOT NULL,
    status     text NOT NULL,
    list_group text NOT NULL,
    job_group  text NOT NULL,
    route      text NOT NULL,
    ended      boolean NOT NULL,
    bad        boolean NOT NULL,
    unread     boolean NOT NULL,
    read       boolean NOT NULL,
    CONSTRAINT statuses_pkey PRIMARY KEY (kind, status)
);
CREATE TABLE IF NOT EXISTS signing_statuses (
    status  text PRIMARY KEY,
    awaited boolean NOT NULL,
    settled boolean NOT NULL,
    signed  boolean NOT NULL
);
CREATE TABLE IF NOT EXISTS applied_code (
    hash       text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Columns generated from lists of statuses become columns maintained by triggers.
ALTER TABLE items ALTER COLUMN list_group DROP EXPRESSION IF EXISTS;
ALTER TABLE items ALTER COLUMN list_group SET DEFAULT 'draft';
ALTER TABLE listed ALTER COLUMN route DROP EXPRESSION IF EXISTS;
ALTER TABLE listed ALTER COLUMN route SET DEFAULT '';
DROP INDEX IF EXISTS items_unread_idx;
DROP INDEX shipments_deadline_idx;
CREATE INDEX shipments_deadline_idx ON shipments (signing_status, sign_by) WHERE sign_by IS NOT NULL;

DROP TABLE stat_weeks;
COMMENT ON COLUMN holds.reason IS NULL;
