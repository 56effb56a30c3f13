-- +goose Up
-- The processes that deliver now; each takes its share of an integration's parallelism and rate.
CREATE TABLE workers (
    id         uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Which database last delivered. A restored copy differs in one of these, and delivery pauses until a person decides.
CREATE TABLE delivery_guard (
    single            boolean PRIMARY KEY DEFAULT true CONSTRAINT delivery_guard_single_check CHECK (single),
    system_identifier bigint NOT NULL,
    timeline          text NOT NULL,
    database_oid      bigint NOT NULL,
    table_oid         bigint NOT NULL,
    paused_at         timestamptz,
    paused_by         text NOT NULL DEFAULT '' -- empty: by the program, after a restore
);
