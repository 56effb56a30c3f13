-- Follow-ups. In SQL, like all triggers that derive something from items: states change in a dozen statements, in bulk.

-- follow_up_of is the one rule of why an item is a follow-up: no row means that it is none. An item that ended badly is settled
-- when a replacement has been sent. An item without news for long is found by a status read without a change. In SQL: triggers ask
-- it on changes, and the sweep asks it of thousands of items.
CREATE FUNCTION follow_up_of(it items) RETURNS TABLE (cause text, since timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.cause, c.since
    FROM (SELECT it.state = 'accepted' AND it.upstream_id IS NOT NULL AS there, coalesce(it.status_at, it.accepted_at) AS heard_at,
                 greatest(it.checked_at, it.check_error_at) AS asked_at) known
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
    LEFT JOIN shipments s ON s.item_id = it.id
    LEFT JOIN signing_statuses g ON g.status = s.signing_status
    CROSS JOIN LATERAL (SELECT known.there AND r.ended IS NOT TRUE) way (under_way)
    CROSS JOIN LATERAL (VALUES
        ('uncertain', it.state = 'uncertain' AND it.recover_at IS NULL, coalesce(it.reason_at, it.created_at)),
        ('rejected', it.state = 'rejected', coalesce(it.reason_at, it.created_at)),
        ('failed', it.state = 'failed', coalesce(it.reason_at, it.created_at)),
        ('not_delivered', it.state = 'accepted' AND r.bad, known.heard_at),
        ('waiting', it.state = 'queued' AND it.due_since <= now() - max_wait(), it.due_since + max_wait()),
        ('signing_ended', it.state = 'accepted' AND g.settled AND NOT g.signed, coalesce(s.signing_at, known.heard_at)),
        ('signing', it.state = 'accepted' AND g.awaited AND s.sign_by <= now() + interval '2 days', s.sign_by - interval '2 days'),
        ('missing', way.under_way AND it.missing_reads >= 3, coalesce(it.checked_at, it.accepted_at)),
        ('unread', it.state = 'accepted' AND r.unread AND NOT s.digital_only AND EXISTS (
            SELECT FROM accounts a WHERE a.id = it.account_id AND a.unread_hours > 0
            AND known.asked_at >= it.status_at + a.unread_hours * interval '1 hour'), it.status_at),
        ('silent', way.under_way AND known.asked_at >= known.heard_at + CASE it.kind WHEN 'sms' THEN interval '2 days' ELSE interval '7 days' END,
            known.heard_at)
    ) c (cause, holds, since) JOIN causes k ON k.cause = c.cause
    WHERE c.holds AND (k.stays OR NOT EXISTS (
        SELECT FROM items n WHERE n.origin_id = it.id AND n.origin_kind = 'replaces' AND n.account_id = it.account_id
        AND n.state NOT IN ('draft', 'cancelled')))
    ORDER BY k.place
    LIMIT 1
$$;

-- Updates the follow-up of one item.
CREATE FUNCTION keep_follow_up(item uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE wanted record;
BEGIN
    SELECT it.account_id, w.cause, w.since INTO wanted FROM items it CROSS JOIN LATERAL follow_up_of(it) w WHERE it.id = item;
    IF FOUND THEN
        INSERT INTO follow_ups AS f (item_id, account_id, cause, since) VALUES (item, wanted.account_id, wanted.cause, wanted.since)
        ON CONFLICT (item_id) DO UPDATE SET cause = excluded.cause, since = excluded.since, ended_at = NULL, done_at = NULL, done_by = NULL, reason = NULL
        WHERE f.ended_at IS NOT NULL OR (f.cause, f.since) IS DISTINCT FROM (excluded.cause, excluded.since);
    ELSE
        UPDATE follow_ups SET ended_at = now() WHERE item_id = item AND ended_at IS NULL;
    END IF;
END $$;

-- Whether an item may be a follow-up, from its row alone; bad tells whether its status is a bad end. It is false for most items,
-- which then cost nothing more.
CREATE FUNCTION troubled(it items, bad boolean) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.state IN ('rejected', 'failed', 'uncertain') OR it.missing_reads >= 3 OR bad
        OR it.state = 'queued' AND it.due_since <= now() - max_wait()
        OR it.state = 'accepted' AND coalesce(it.status_at, it.accepted_at) <= now() - interval '1 hour'
$$;

-- Items are inserted before their content, so that content means a complete item; this also covers items inserted in bulk with old
-- states and statuses.
CREATE FUNCTION follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Most are drafts, and asking what they want takes a new connection 35 ms to plan.
    IF NOT EXISTS (SELECT FROM made m JOIN items it ON it.id = m.item_id WHERE it.state NOT IN ('draft', 'sending', 'cancelled')) THEN
        RETURN NULL;
    END IF;
    INSERT INTO follow_ups (item_id, account_id, cause, since)
    SELECT it.id, it.account_id, w.cause, w.since
    FROM made m JOIN items it ON it.id = m.item_id CROSS JOIN LATERAL follow_up_of(it) w
    WHERE it.state NOT IN ('draft', 'sending', 'cancelled')
      AND (it.list_group <> 'arrived' OR it.kind = 'shipment' AND EXISTS (
          SELECT FROM shipments s WHERE s.item_id = it.id AND s.sign_by IS NOT NULL))
    ON CONFLICT (item_id) DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER sms_follow AFTER INSERT ON sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();
CREATE TRIGGER shipments_follow AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();

CREATE FUNCTION follow_signing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would miss each other
    PERFORM keep_follow_up(NEW.item_id);
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_follow_signing AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.signing_status, OLD.sign_by, OLD.digital_only) IS DISTINCT FROM (NEW.signing_status, NEW.sign_by, NEW.digital_only))
    EXECUTE FUNCTION follow_signing();

-- When an account changes its limit for unread shipments, their follow-ups are computed anew.
CREATE FUNCTION follow_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_follow_up(l.item_id) FROM statuses r JOIN listed l ON l.account_id = NEW.id AND l.kind = r.kind AND l.status = r.status
    WHERE r.unread;
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_follow_unread AFTER UPDATE ON accounts FOR EACH ROW
    WHEN (OLD.unread_hours <> NEW.unread_hours) EXECUTE FUNCTION follow_unread();
