-- Derived data that changes with an item.

-- How long a due item is tried or blocked before a caseworker is asked: dispatch.MaxWait; a test compares the two.
CREATE FUNCTION max_wait() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT interval '24 hours' $$;

-- An item with a stored request to stop is not queued again when its call turns out not to have sent it. In SQL: several statements
-- queue items again, and one that forgot would send it. The trigger's name makes it run first.
CREATE FUNCTION stop_as_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.state := 'cancelled';
    INSERT INTO events (item_id, account_id, kind) VALUES (NEW.id, NEW.account_id, 'cancelled'); -- no actor: the request has a line of its own
    RETURN NEW;
END $$;
CREATE TRIGGER items_asked_stop BEFORE UPDATE OF state ON items FOR EACH ROW
    WHEN (NEW.stop_asked_at IS NOT NULL AND NEW.state = 'queued' AND OLD.state IN ('sending', 'uncertain'))
    EXECUTE FUNCTION stop_as_asked();

-- Maintains an item's group. In SQL: state and status change in a dozen statements.
CREATE FUNCTION item_grouped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'draft' THEN
        NEW.list_group := 'draft';
    ELSE
        SELECT r.list_group INTO NEW.list_group FROM statuses r WHERE r.kind = NEW.kind AND r.status = stat_outcome(NEW.state, NEW.status, NEW.upstream_id);
        IF NOT FOUND THEN
            SELECT r.list_group INTO NEW.list_group FROM statuses r WHERE r.kind = NEW.kind AND r.status = '';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER items_group BEFORE UPDATE OF state, status ON items FOR EACH ROW
    WHEN ((OLD.state <> NEW.state OR OLD.status <> NEW.status)
          AND NOT (OLD.state = 'queued' AND NEW.state = 'sending' OR OLD.state = 'sending' AND NEW.state = 'accepted' AND NEW.status = ''))
    EXECUTE FUNCTION item_grouped();
CREATE TRIGGER items_group_new BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION item_grouped();

-- Maintains what lists, counts, statistics and follow-ups know of an item. In SQL: states change in a dozen statements, in bulk,
-- and one that forgot would leave wrong data for good. It is a single trigger whose condition skips the two usual changes of each
-- SMS: separate triggers took more than a third of PostgreSQL's time for writing four results.
CREATE FUNCTION item_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    outcome_was text := stat_outcome(OLD.state, OLD.status, OLD.upstream_id);
    outcome_is text := stat_outcome(NEW.state, NEW.status, NEW.upstream_id);
    was statuses;
    known statuses; -- of the status that it has now
    counted boolean;
    last bigint;
BEGIN
    SELECT * INTO known FROM statuses r WHERE r.kind = NEW.kind AND r.status = NEW.status;
    IF OLD.status = NEW.status THEN
        was := known;
    ELSE
        SELECT * INTO was FROM statuses r WHERE r.kind = OLD.kind AND r.status = OLD.status;
    END IF;
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
            route = CASE WHEN outcome_is IS NULL THEN '' ELSE coalesce(
                (SELECT r.route FROM statuses r WHERE r.kind = NEW.kind AND r.status = outcome_is),
                (SELECT r.route FROM statuses r WHERE r.kind = NEW.kind AND r.status = '')) END,
            read_band = CASE WHEN NEW.state = 'accepted' AND known.read THEN stat_band(NEW.status_at - NEW.accepted_at) END
        WHERE item_id = NEW.id;
        IF OLD.accepted_at <> NEW.accepted_at THEN
            UPDATE listed SET sign_band = list_sign_band(NEW.id) WHERE item_id = NEW.id;
        END IF;
    END IF;

    -- What it costs its account.
    IF NEW.kind = 'shipment' AND (OLD.state, was.route) IS DISTINCT FROM (NEW.state, known.route) THEN
        PERFORM add_shipment_usage(h.account_id, h.cost_month, shipment_cost(NEW.state, known.route, h.cost_print, h.cost_digital)
                                                             - shipment_cost(OLD.state, was.route, h.cost_print, h.cost_digital))
        FROM shipments h WHERE h.item_id = NEW.id AND h.cost_month IS NOT NULL;
    END IF;

    -- The team lead's numbers: the row as it was goes out, and the row as it is comes in.
    IF counted THEN
        INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
        SELECT it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date, it.kind, stat_outcome(it.state, it.status, it.upstream_id), it.created_by,
               coalesce(m.template_id, h.template_id), coalesce(h.billing_code, ''),
               CASE WHEN it.state = 'accepted' AND it.read THEN stat_band(it.status_at - it.accepted_at) END,
               CASE WHEN it.state = 'accepted' AND it.read THEN stat_hour(it.accepted_at) END,
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
CREATE TRIGGER items_changed
    AFTER UPDATE OF state, status, status_at, upstream_id, accepted_at, settled_at, checked_at, check_error_at, missing_reads, reason_at, due_since,
        recover_at, origin_id, created_by, created_at
    ON items FOR EACH ROW
    WHEN (NOT (OLD.state = 'queued' AND NEW.state = 'sending' OR OLD.state = 'sending' AND NEW.state = 'accepted' AND NEW.upstream_id IS NOT NULL)
          OR NEW.status <> '' OR OLD.accepted_at IS NOT NULL OR NEW.origin_id IS NOT NULL)
    EXECUTE FUNCTION item_changed();

-- Content belongs to an item of its kind. In SQL: a foreign key on id and kind would need one more index, which each change of an
-- item would write.
CREATE FUNCTION kind_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM fresh f JOIN items it ON it.id = f.item_id WHERE it.kind <> TG_ARGV[0]) THEN
        RAISE EXCEPTION 'content of another kind than its item' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER sms_kind AFTER INSERT ON sms REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('sms');
CREATE TRIGGER shipments_kind AFTER INSERT ON shipments REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('shipment');

CREATE FUNCTION kind_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an item stays of its kind' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
END $$;
CREATE TRIGGER items_kind BEFORE UPDATE OF kind ON items FOR EACH ROW WHEN (OLD.kind <> NEW.kind) EXECUTE FUNCTION kind_stays();
