-- +goose Up
-- What the program knows of the services' statuses, and of what lists and numbers call an item without one. Migrate fills it
-- from the rows of internal/dispatch/statuses.go; nobody else writes it. The status '' is any value without a row.
CREATE TABLE statuses (
    kind       text NOT NULL,
    status     text NOT NULL,    -- verbatim, or an outcome of ours
    list_group text NOT NULL,    -- dispatch.Group
    job_group  text NOT NULL,    -- dispatch.JobGroup; '': an outcome of ours
    route      text NOT NULL,    -- dispatch.Route
    ended      boolean NOT NULL, -- it has arrived or stopped: silence is no news
    bad        boolean NOT NULL, -- the recipient will surely not get it
    unread     boolean NOT NULL, -- it lies with the recipient, unread
    read       boolean NOT NULL, -- the recipient has read it: how long that took is counted
    CONSTRAINT statuses_pkey PRIMARY KEY (kind, status)
);
-- The same of signing statuses. The status '' says that nothing has been told yet.
CREATE TABLE signing_statuses (
    status  text NOT NULL,
    awaited boolean NOT NULL, -- the recipient is surely still asked
    settled boolean NOT NULL,
    signed  boolean NOT NULL,
    CONSTRAINT signing_statuses_pkey PRIMARY KEY (status)
);

-- +goose StatementBegin
CREATE FUNCTION outcome_row(of_kind text, outcome text) RETURNS SETOF statuses LANGUAGE sql STABLE AS $$
    SELECT * FROM statuses s WHERE s.kind = of_kind AND s.status IN (outcome, '') ORDER BY s.status DESC LIMIT 1
$$;
-- +goose StatementEnd

-- What was generated from lists of statuses is kept by triggers: a generated column cannot read a table.
ALTER TABLE items ALTER COLUMN list_group DROP EXPRESSION;
ALTER TABLE items ALTER COLUMN list_group SET DEFAULT 'draft';
ALTER TABLE listed ALTER COLUMN route DROP EXPRESSION;
ALTER TABLE listed ALTER COLUMN route SET DEFAULT '';
-- +goose StatementBegin
CREATE FUNCTION item_grouped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'draft' THEN
        NEW.list_group := 'draft';
    ELSE
        SELECT r.list_group INTO NEW.list_group FROM outcome_row(NEW.kind, stat_outcome(NEW.state, NEW.status, NEW.upstream_id)) r;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- A claim, and being accepted without a status, change no group: each SMS passes these two, and pays for no look-up.
CREATE TRIGGER items_group BEFORE UPDATE OF state, status ON items FOR EACH ROW
    WHEN ((OLD.state <> NEW.state OR OLD.status <> NEW.status)
          AND NOT (OLD.state = 'queued' AND NEW.state = 'sending' OR OLD.state = 'sending' AND NEW.state = 'accepted' AND NEW.status = ''))
    EXECUTE FUNCTION item_grouped();
CREATE TRIGGER items_group_new BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION item_grouped();

-- Lists.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status, outcome, route, read_band)
    SELECT f.id, f.account_id, f.kind, f.created_at, f.created_by, f.list_group, CASE f.state WHEN 'accepted' THEN f.status ELSE '' END,
           coalesce(o.outcome, ''), CASE WHEN o.outcome IS NULL THEN '' ELSE r.route END,
           CASE WHEN f.state = 'accepted' AND r.read THEN stat_band(f.status_at - f.accepted_at) END
    FROM fresh f CROSS JOIN LATERAL (SELECT stat_outcome(f.state, f.status, f.upstream_id)) o (outcome) CROSS JOIN LATERAL outcome_row(f.kind, o.outcome) r;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION list_sign_band(item uuid) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT stat_band(h.signing_at - it.accepted_at)
    FROM shipments h JOIN items it ON it.id = h.item_id JOIN signing_statuses g ON g.status = h.signing_status AND g.signed
    WHERE h.item_id = item
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION list_signed_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE listed l SET sign_band = list_sign_band(l.item_id) FROM made m
    WHERE m.item_id = l.item_id AND m.signing_status <> '';
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Statistics.
CREATE OR REPLACE VIEW stat_facts AS
    SELECT it.id AS item_id, it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date AS day, it.kind,
           stat_outcome(it.state, it.status, it.upstream_id) AS outcome, it.created_by AS sender, m.template_id, coalesce(h.billing_code, '') AS billing_code,
           CASE WHEN it.state = 'accepted' AND r.read THEN stat_band(it.status_at - it.accepted_at) END AS read_band,
           CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END AS sign_band,
           coalesce(m.parts, 0)::bigint AS parts
    FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status LEFT JOIN signing_statuses g ON g.status = h.signing_status
    WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);
CREATE OR REPLACE VIEW stat_news AS
    SELECT c.account_id, c.day, c.kind, d.dimension, d.value, c.n, CASE WHEN r.list_group = 'arrived' THEN c.n ELSE 0 END AS arrived,
           CASE WHEN r.list_group = 'stopped' THEN c.n ELSE 0 END AS stopped, c.parts
    FROM stat_changes c LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
    CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION stat_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- or its change and ours would each count what the other changes
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, NULL, h.billing_code, f.read_band,
           CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END, h.n, 0
    FROM (VALUES (OLD.billing_code, OLD.signing_status, OLD.signing_at, -1), (NEW.billing_code, NEW.signing_status, NEW.signing_at, 1))
         h (billing_code, signing_status, signing_at, n)
    LEFT JOIN signing_statuses g ON g.status = h.signing_status
    CROSS JOIN stat_facts f JOIN items it ON it.id = f.item_id
    WHERE f.item_id = NEW.item_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- fold_stats_of puts some changes together, in the days and in the weeks.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION fold_stats_of(changes bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE taken integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('fold_stats'));
    WITH gone AS (
        DELETE FROM stat_changes WHERE id = ANY(changes) RETURNING *
    ), sums AS (
        SELECT c.account_id, c.day, c.kind, d.dimension, d.value, sum(c.n) AS n, coalesce(sum(c.n) FILTER (WHERE r.list_group = 'arrived'), 0) AS arrived,
               coalesce(sum(c.n) FILTER (WHERE r.list_group = 'stopped'), 0) AS stopped, sum(c.parts) AS parts
        FROM gone c LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
        CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d
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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION fold_stats(most integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('fold_stats')) THEN
        RETURN 0;
    END IF;
    RETURN fold_stats_of(ARRAY(SELECT id FROM stat_changes ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED));
END $$;
-- +goose StatementEnd
DROP FUNCTION stat_arrived(text);
DROP FUNCTION stat_stopped(text);

-- Follow-ups.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_up_of(it items) RETURNS TABLE (cause text, since timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.cause, c.since
    FROM (SELECT it.state = 'accepted' AND it.upstream_id IS NOT NULL AS there, coalesce(it.status_at, it.accepted_at) AS heard_at,
                 greatest(it.checked_at, it.check_error_at) AS asked_at) known
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
    LEFT JOIN shipments s ON s.item_id = it.id
    LEFT JOIN signing_statuses g ON g.status = s.signing_status
    CROSS JOIN LATERAL (SELECT known.there AND r.ended IS NOT TRUE) way (under_way)
    CROSS JOIN LATERAL (VALUES
        (1, 'uncertain', it.state = 'uncertain' AND it.recover_at IS NULL, coalesce(it.reason_at, it.created_at)),
        (2, 'rejected', it.state = 'rejected', coalesce(it.reason_at, it.created_at)),
        (3, 'failed', it.state = 'failed', coalesce(it.reason_at, it.created_at)),
        (4, 'not_delivered', it.state = 'accepted' AND r.bad, known.heard_at),
        (5, 'waiting', it.state = 'queued' AND it.due_since <= now() - max_wait(), it.due_since + max_wait()),
        (6, 'signing_ended', it.state = 'accepted' AND g.settled AND NOT g.signed, coalesce(s.signing_at, known.heard_at)),
        (7, 'signing', it.state = 'accepted' AND g.awaited AND s.sign_by <= now() + interval '2 days', s.sign_by - interval '2 days'),
        (8, 'missing', way.under_way AND it.missing_reads >= 3, coalesce(it.checked_at, it.accepted_at)),
        (9, 'unread', it.state = 'accepted' AND r.unread AND NOT s.digital_only AND EXISTS (
            SELECT FROM accounts a WHERE a.id = it.account_id AND a.unread_hours > 0
            AND known.asked_at >= it.status_at + a.unread_hours * interval '1 hour'), it.status_at),
        (10, 'silent', way.under_way AND known.asked_at >= known.heard_at + CASE it.kind WHEN 'sms' THEN interval '2 days' ELSE interval '7 days' END,
            known.heard_at)
    ) c (place, cause, holds, since)
    WHERE c.holds AND (c.cause IN ('uncertain', 'waiting') OR NOT EXISTS (
        SELECT FROM items n WHERE n.origin_id = it.id AND n.origin_kind = 'replaces' AND n.account_id = it.account_id
        AND n.state NOT IN ('draft', 'cancelled')))
    ORDER BY c.place
    LIMIT 1
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO follow_ups (item_id, account_id, cause, since)
    SELECT it.id, it.account_id, w.cause, w.since
    FROM made m JOIN items it ON it.id = m.item_id CROSS JOIN LATERAL follow_up_of(it) w
    WHERE it.state NOT IN ('draft', 'sending', 'cancelled')
      AND (it.list_group <> 'arrived' OR it.kind = 'shipment' AND EXISTS (
          SELECT FROM shipments s WHERE s.item_id = it.id AND s.sign_by IS NOT NULL))
    ON CONFLICT (item_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_follow_up(l.item_id) FROM statuses r JOIN listed l ON l.account_id = NEW.id AND l.kind = r.kind AND l.status = r.status
    WHERE r.unread;
    RETURN NULL;
END $$;
-- +goose StatementEnd
DROP INDEX items_unread_idx;
DROP INDEX shipments_deadline_idx;
CREATE INDEX shipments_deadline_idx ON shipments (signing_status, sign_by) WHERE sign_by IS NOT NULL;

-- Whether an item may want a person; bad is whether its status is a bad end.
-- +goose StatementBegin
CREATE FUNCTION troubled(it items, bad boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.state IN ('rejected', 'failed', 'uncertain') OR it.missing_reads >= 3 OR bad
        OR it.state = 'queued' AND it.due_since <= now() - max_wait()
        OR it.state = 'accepted' AND coalesce(it.status_at, it.accepted_at) <= now() - interval '1 hour'
$$;
-- +goose StatementEnd
DROP FUNCTION troubled(items);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION item_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    outcome_was text := stat_outcome(OLD.state, OLD.status, OLD.upstream_id);
    outcome_is text := stat_outcome(NEW.state, NEW.status, NEW.upstream_id);
    was statuses;
    known statuses; -- of the status that it has now
    counted boolean;
    last bigint;
BEGIN
    SELECT * INTO was FROM outcome_row(OLD.kind, OLD.status);
    SELECT * INTO known FROM outcome_row(NEW.kind, NEW.status);
    counted := outcome_was IS DISTINCT FROM outcome_is
        OR known.read AND OLD.status_at IS DISTINCT FROM NEW.status_at
        OR OLD.accepted_at IS NOT NULL AND OLD.accepted_at IS DISTINCT FROM NEW.accepted_at
        OR OLD.created_at <> NEW.created_at;

    -- Whether it wants a person.
    IF (OLD.state, OLD.reason_at, OLD.status, OLD.status_at, OLD.due_since, OLD.recover_at IS NULL, OLD.missing_reads >= 3, OLD.upstream_id, OLD.origin_id)
       IS DISTINCT FROM
       (NEW.state, NEW.reason_at, NEW.status, NEW.status_at, NEW.due_since, NEW.recover_at IS NULL, NEW.missing_reads >= 3, NEW.upstream_id, NEW.origin_id)
       AND (OLD.state IN ('rejected', 'failed', 'uncertain') OR NEW.state IN ('rejected', 'failed', 'uncertain')
            OR OLD.state = 'accepted' AND (NEW.state <> 'accepted' OR OLD.upstream_id IS DISTINCT FROM NEW.upstream_id)
            OR (OLD.status, OLD.status_at) IS DISTINCT FROM (NEW.status, NEW.status_at)
            OR OLD.missing_reads >= 3 OR NEW.missing_reads >= 3 OR OLD.origin_id IS NOT NULL OR NEW.origin_id IS NOT NULL
            OR OLD.due_since <= now() - max_wait() OR NEW.due_since <= now() - max_wait())
       OR NEW.state = 'accepted' AND NEW.settled_at IS NULL
          AND (OLD.checked_at, OLD.check_error_at) IS DISTINCT FROM (NEW.checked_at, NEW.check_error_at)
          AND coalesce(NEW.status_at, NEW.accepted_at) <= now() - interval '1 hour' THEN
        IF troubled(OLD, was.bad) OR troubled(NEW, known.bad) OR OLD.state <> NEW.state THEN
            PERFORM keep_follow_up(NEW.id);
        END IF;
        IF (OLD.state, OLD.origin_id) IS DISTINCT FROM (NEW.state, NEW.origin_id) THEN
            PERFORM keep_follow_up(o.id) FROM (SELECT OLD.origin_id AS id UNION SELECT NEW.origin_id) o WHERE o.id IS NOT NULL;
        END IF;
    END IF;

    -- How many stand in its group.
    IF OLD.list_group <> NEW.list_group THEN
        WITH added AS (
            INSERT INTO list_counts (account_id, kind, list_group, n)
            SELECT v.account_id, v.kind, v.list_group, v.n
            FROM (VALUES (OLD.account_id, OLD.kind, OLD.list_group, -1), (NEW.account_id, NEW.kind, NEW.list_group, 1)) v (account_id, kind, list_group, n)
            WHERE v.list_group <> 'draft'
            RETURNING id
        ) SELECT max(id) INTO last FROM added;
        IF last % 64 < 2 THEN -- this row, or the one before it, is a 64th
            PERFORM fold_list_counts(NEW.account_id);
        END IF;
    END IF;

    -- What the lists are read by.
    IF counted OR OLD.list_group <> NEW.list_group OR OLD.status <> NEW.status OR OLD.created_by <> NEW.created_by
       OR NEW.status <> '' AND (OLD.state = 'accepted') <> (NEW.state = 'accepted') THEN
        UPDATE listed SET created_at = NEW.created_at, created_by = NEW.created_by, list_group = NEW.list_group,
            status = CASE NEW.state WHEN 'accepted' THEN NEW.status ELSE '' END,
            outcome = coalesce(outcome_is, ''),
            route = CASE WHEN outcome_is IS NULL THEN '' ELSE (SELECT r.route FROM outcome_row(NEW.kind, outcome_is) r) END,
            read_band = CASE WHEN NEW.state = 'accepted' AND known.read THEN stat_band(NEW.status_at - NEW.accepted_at) END
        WHERE item_id = NEW.id;
        IF OLD.accepted_at <> NEW.accepted_at THEN
            UPDATE listed SET sign_band = list_sign_band(NEW.id) WHERE item_id = NEW.id;
        END IF;
    END IF;

    -- The team lead's numbers: the row as it was goes out, and the row as it is comes in.
    IF counted THEN
        INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
        SELECT it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date, it.kind, stat_outcome(it.state, it.status, it.upstream_id), it.created_by,
               m.template_id, coalesce(h.billing_code, ''),
               CASE WHEN it.state = 'accepted' AND it.read THEN stat_band(it.status_at - it.accepted_at) END,
               CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END,
               it.n, it.n * coalesce(m.parts, 0)
        FROM (SELECT (OLD).*, was.read, -1 AS n UNION ALL SELECT (NEW).*, known.read, 1) it
        LEFT JOIN sms m ON m.item_id = it.id
        LEFT JOIN shipments h ON h.item_id = it.id
        LEFT JOIN signing_statuses g ON g.status = h.signing_status
        WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
