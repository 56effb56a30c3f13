-- +goose Up
-- Of whole weeks the team lead's page reads one number for each value, not one for each day: what it reads grows with the
-- days of a period times the values that each day has. Days and outcomes it shows one by one.
CREATE TABLE stat_weeks (
    account_id uuid NOT NULL,
    week       date NOT NULL, -- its Monday
    kind       text NOT NULL,
    dimension  text NOT NULL, -- all of stats but outcome
    value      text NOT NULL,
    n          bigint NOT NULL,
    arrived    bigint NOT NULL,
    stopped    bigint NOT NULL,
    parts      bigint NOT NULL,
    CONSTRAINT stat_weeks_pkey PRIMARY KEY (account_id, week, dimension, kind, value)
) WITH (fillfactor = 80);

-- stat_news is what is counted and not put together yet.
CREATE VIEW stat_news AS
    SELECT c.account_id, c.day, c.kind, d.dimension, d.value, c.n, CASE WHEN stat_arrived(c.outcome) THEN c.n ELSE 0 END AS arrived,
           CASE WHEN stat_stopped(c.outcome) THEN c.n ELSE 0 END AS stopped, c.parts
    FROM stat_changes c CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d;
CREATE OR REPLACE VIEW stat_all AS
    SELECT account_id, day, kind, dimension, value, n, arrived, stopped, parts FROM stats
    UNION ALL
    SELECT account_id, day, kind, dimension, value, n, arrived, stopped, parts FROM stat_news;

-- +goose StatementBegin
CREATE FUNCTION stat_week(day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT day - (extract(isodow FROM day)::integer - 1)
$$;
-- +goose StatementEnd

-- fold_stats puts changes together, in days and in weeks, at most so many, and returns how many it took. One does it at a time.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION fold_stats(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE taken integer;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('fold_stats')) THEN
        RETURN 0;
    END IF;
    WITH gone AS (
        DELETE FROM stat_changes WHERE id IN (SELECT id FROM stat_changes ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED) RETURNING *
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

-- What was there before. Nobody folds meanwhile.
SELECT pg_advisory_xact_lock(hashtext('fold_stats'));
INSERT INTO stat_weeks (account_id, week, kind, dimension, value, n, arrived, stopped, parts)
SELECT account_id, stat_week(day), kind, dimension, value, sum(n), sum(arrived), sum(stopped), sum(parts)
FROM stats WHERE dimension <> 'outcome' GROUP BY 1, 2, 3, 4, 5;
