-- Rows that lists are read by. Changes of items are handled in items.sql. In SQL: rows are inserted and deleted in many statements.

-- One statement may insert many rows: they are handled together.
CREATE FUNCTION list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status, outcome, route, read_band)
    SELECT f.id, f.account_id, f.kind, f.created_at, f.created_by, f.list_group, CASE f.state WHEN 'accepted' THEN f.status ELSE '' END,
           coalesce(o.outcome, ''), CASE WHEN o.outcome IS NULL THEN '' ELSE coalesce(r.route, other.route) END,
           CASE WHEN f.state = 'accepted' AND r.read THEN stat_band(f.status_at - f.accepted_at) END
    FROM fresh f CROSS JOIN LATERAL (SELECT stat_outcome(f.state, f.status, f.upstream_id)) o (outcome)
    LEFT JOIN statuses r ON r.kind = f.kind AND r.status = o.outcome
    LEFT JOIN statuses other ON other.kind = f.kind AND other.status = '';
    RETURN NULL;
END $$;
CREATE TRIGGER items_listed_new AFTER INSERT ON items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION list_new();

CREATE FUNCTION list_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM listed l USING gone WHERE l.item_id = gone.id;
    RETURN NULL;
END $$;
CREATE TRIGGER items_listed_gone AFTER DELETE ON items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION list_gone();

-- The band of the time until a shipment was signed.
CREATE FUNCTION list_sign_band(item uuid) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT stat_band(h.signing_at - it.accepted_at)
    FROM shipments h JOIN items it ON it.id = h.item_id JOIN signing_statuses g ON g.status = h.signing_status AND g.signed
    WHERE h.item_id = item
$$;

CREATE FUNCTION list_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would miss each other
    UPDATE listed SET sign_band = list_sign_band(NEW.item_id) WHERE item_id = NEW.item_id;
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_listed_signed AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.signing_status, OLD.signing_at) IS DISTINCT FROM (NEW.signing_status, NEW.signing_at))
    EXECUTE FUNCTION list_signed();

CREATE FUNCTION list_signed_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE listed l SET sign_band = list_sign_band(l.item_id) FROM made m
    WHERE m.item_id = l.item_id AND m.signing_status <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_listed_new AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION list_signed_new();

-- Counts per group.
CREATE FUNCTION count_list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, count(*) FROM fresh WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $$;
CREATE TRIGGER items_list_new AFTER INSERT ON items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_list_new();

CREATE FUNCTION count_list_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, -count(*) FROM gone WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $$;
CREATE TRIGGER items_list_gone AFTER DELETE ON items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_list_gone();

-- Merges the rows of an account that are not locked.
CREATE FUNCTION fold_list_counts(account uuid) RETURNS void LANGUAGE sql AS $$
    WITH free AS (
        SELECT id FROM list_counts WHERE account_id = account FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM list_counts c USING free WHERE c.id = free.id RETURNING c.kind, c.list_group, c.n
    )
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account, kind, list_group, sum(n) FROM gone GROUP BY 2, 3 HAVING sum(n) <> 0
$$;

-- Maintains, in a list's row, whether the item is archived.
CREATE FUNCTION list_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE listed SET archived = false WHERE item_id = OLD.item_id;
    ELSE
        UPDATE listed SET archived = true WHERE item_id = NEW.item_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER archived_items_listed AFTER INSERT OR DELETE ON archived_items FOR EACH ROW EXECUTE FUNCTION list_archived();
