-- +goose Up
-- Background work that failed for its own sake: it is left out until next_at, so that the rest of its queue goes on. After a
-- few tries it is told of. It is tried again now and then all the same: what was wrong may have been mended.
CREATE TABLE set_aside (
    queue      text NOT NULL,
    key        text NOT NULL,
    account_id uuid REFERENCES accounts ON DELETE CASCADE, -- NULL: no account's
    tries      integer NOT NULL DEFAULT 1,
    cause      text NOT NULL,
    first_at   timestamptz NOT NULL DEFAULT now(),
    last_at    timestamptz NOT NULL DEFAULT now(),
    next_at    timestamptz NOT NULL,
    PRIMARY KEY (queue, key)
);
CREATE INDEX set_aside_account_idx ON set_aside (account_id);

-- fold_stats for changes that are named, so that one that cannot be counted does not hold up the others.
-- +goose StatementBegin
CREATE FUNCTION fold_stats_of(changes bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE taken integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('fold_stats'));
    WITH gone AS (
        DELETE FROM stat_changes WHERE id = ANY(changes) RETURNING *
    ), sums AS (
        SELECT c.account_id, c.day, c.kind, d.dimension, d.value, sum(c.n) AS n, coalesce(sum(c.n) FILTER (WHERE stat_arrived(c.outcome)), 0) AS arrived,
               coalesce(sum(c.n) FILTER (WHERE stat_stopped(c.outcome)), 0) AS stopped, sum(c.parts) AS parts
        FROM gone c CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d
        GROUP BY 1, 2, 3, 4, 5
    ), days AS (
        INSERT INTO stats AS s (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
        SELECT * FROM sums ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ON CONSTRAINT stats_pkey DO UPDATE SET n = s.n + excluded.n, arrived = s.arrived + excluded.arrived,
            stopped = s.stopped + excluded.stopped, parts = s.parts + excluded.parts
    ), weeks AS (
        INSERT INTO stat_weeks AS s (account_id, week, kind, dimension, value, n, arrived, stopped, parts)
        SELECT account_id, stat_week(day), kind, dimension, value, sum(n), sum(arrived), sum(stopped), sum(parts)
        FROM sums WHERE dimension <> 'outcome' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ON CONSTRAINT stat_weeks_pkey DO UPDATE SET n = s.n + excluded.n, arrived = s.arrived + excluded.arrived,
            stopped = s.stopped + excluded.stopped, parts = s.parts + excluded.parts
    )
    SELECT count(*) INTO taken FROM gone;
    RETURN taken;
END $$;
-- +goose StatementEnd
