-- Statistics. Changes of items are handled in items.sql. In SQL, for the same reason as lists.

-- The outcome that an item is counted under: none while it is a draft, open until there is a result, then the service's status or
-- our state. Handing over does not change it until the first status, so that delivery writes nothing here.
CREATE FUNCTION stat_outcome(state text, status text, upstream_id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state = 'draft' THEN NULL
                WHEN state IN ('queued', 'sending') THEN 'open'
                WHEN state <> 'accepted' THEN state
                WHEN status <> '' THEN status
                WHEN upstream_id IS NULL THEN 'untracked'
                ELSE 'open' END
$$;

-- The band of a duration.
CREATE FUNCTION stat_band(took interval) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN took < interval '1 hour' THEN 0 WHEN took < interval '4 hours' THEN 1 WHEN took < interval '1 day' THEN 2
                WHEN took < interval '2 days' THEN 3 WHEN took < interval '7 days' THEN 4 WHEN took IS NOT NULL THEN 5 END
$$;

-- The hour of the day in Oslo.
CREATE FUNCTION stat_hour(at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT extract(hour FROM at AT TIME ZONE 'Europe/Oslo')::integer
$$;

-- The dimensions of one item, or of several alike.
CREATE FUNCTION stat_values(outcome text, sender uuid, template_id uuid, billing_code text, read_band integer, hour integer, sign_band integer)
RETURNS TABLE (dimension text, value text) LANGUAGE sql IMMUTABLE AS $$
    SELECT d.dimension, d.value
    FROM (VALUES ('outcome', outcome), ('sender', sender::text), ('template', template_id::text), ('billing', nullif(billing_code, '')),
                 ('read', read_band::text), ('hour', to_char(hour, 'FM00') || '-' || read_band), ('sign', sign_band::text)) d (dimension, value)
    WHERE d.value IS NOT NULL
$$;

-- The dimensions of all items: the source of all counts, and what checks compare them with.
CREATE VIEW stat_facts AS
    SELECT it.id AS item_id, it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date AS day, it.kind,
           stat_outcome(it.state, it.status, it.upstream_id) AS outcome, it.created_by AS sender, coalesce(m.template_id, h.template_id) AS template_id, coalesce(h.billing_code, '') AS billing_code,
           CASE WHEN it.state = 'accepted' AND r.read THEN stat_band(it.status_at - it.accepted_at) END AS read_band,
           CASE WHEN it.state = 'accepted' AND r.read THEN stat_hour(it.accepted_at) END AS hour,
           CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END AS sign_band,
           coalesce(m.parts, 0)::bigint AS parts
    FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status LEFT JOIN signing_statuses g ON g.status = h.signing_status
    WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);

-- Changes that are not folded yet.
CREATE VIEW stat_news AS
    SELECT c.account_id, c.day, c.kind, d.dimension, d.value, c.n, CASE WHEN r.list_group = 'arrived' THEN c.n ELSE 0 END AS arrived,
           CASE WHEN r.list_group = 'stopped' THEN c.n ELSE 0 END AS stopped, c.parts
    FROM stat_changes c LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
    CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.hour, c.sign_band) d;

-- All counts: folded ones and changes.
CREATE VIEW stat_all AS
    SELECT account_id, day, kind, dimension, value, n, arrived, stopped, parts FROM stats
    UNION ALL
    SELECT account_id, day, kind, dimension, value, n, arrived, stopped, parts FROM stat_news;

-- Content is inserted after its item, for one or for thousands in a statement.
CREATE FUNCTION stat_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Most are drafts, and counting takes a new connection 9 ms to plan.
    IF NOT EXISTS (SELECT FROM made m JOIN items it ON it.id = m.item_id WHERE it.state <> 'draft') THEN
        RETURN NULL;
    END IF;
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, f.template_id, f.billing_code, f.read_band, f.hour, f.sign_band, count(*), sum(f.parts)
    FROM made m JOIN stat_facts f ON f.item_id = m.item_id
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
    RETURN NULL;
END $$;
CREATE TRIGGER sms_stat AFTER INSERT ON sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();
CREATE TRIGGER shipments_stat AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();

-- Of changed content, only billing code and signing time are counted.
CREATE FUNCTION stat_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would count each other's change
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, NULL, h.billing_code, f.read_band, f.hour,
           CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END, h.n, 0
    FROM (VALUES (OLD.billing_code, OLD.signing_status, OLD.signing_at, -1), (NEW.billing_code, NEW.signing_status, NEW.signing_at, 1))
         h (billing_code, signing_status, signing_at, n)
    LEFT JOIN signing_statuses g ON g.status = h.signing_status
    CROSS JOIN stat_facts f JOIN items it ON it.id = f.item_id
    WHERE f.item_id = NEW.item_id;
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_stat_content AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.billing_code, OLD.signing_status, OLD.signing_at) IS DISTINCT FROM (NEW.billing_code, NEW.signing_status, NEW.signing_at))
    EXECUTE FUNCTION stat_content();

CREATE FUNCTION stat_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, -1, -parts FROM stat_facts WHERE item_id = OLD.id;
    RETURN OLD;
END $$;
CREATE TRIGGER items_stat_gone BEFORE DELETE ON items FOR EACH ROW WHEN (OLD.state <> 'draft') EXECUTE FUNCTION stat_gone();

-- Folds given changes one by one, so that one that fails does not hold up the others.
CREATE FUNCTION fold_stats_of(changes bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE taken integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('fold_stats'));
    WITH gone AS (
        DELETE FROM stat_changes WHERE id = ANY(changes) RETURNING *
    ), sums AS (
        SELECT c.account_id, c.day, c.kind, d.dimension, d.value, sum(c.n) AS n, coalesce(sum(c.n) FILTER (WHERE r.list_group = 'arrived'), 0) AS arrived,
               coalesce(sum(c.n) FILTER (WHERE r.list_group = 'stopped'), 0) AS stopped, sum(c.parts) AS parts
        FROM gone c LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
        CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.hour, c.sign_band) d
        GROUP BY 1, 2, 3, 4, 5
    ), days AS (
        INSERT INTO stats AS s (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
        SELECT * FROM sums ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ON CONSTRAINT stats_pkey DO UPDATE SET n = s.n + excluded.n, arrived = s.arrived + excluded.arrived,
            stopped = s.stopped + excluded.stopped, parts = s.parts + excluded.parts
    )
    SELECT count(*) INTO taken FROM gone;
    RETURN taken;
END $$;

-- Folds at most so many changes, and returns how many. One process does it at a time.
CREATE FUNCTION fold_stats(most integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('fold_stats')) THEN
        RETURN 0;
    END IF;
    RETURN fold_stats_of(ARRAY(SELECT id FROM stat_changes ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED));
END $$;
