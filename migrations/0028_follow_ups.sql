-- +goose Up
-- What an item was made from: it replaces that one, or reminds of it.
ALTER TABLE items ADD COLUMN origin_id uuid;
ALTER TABLE items ADD COLUMN origin_kind text NOT NULL DEFAULT '' CONSTRAINT items_origin_check
    CHECK ((origin_id IS NULL) = (origin_kind = '') AND origin_kind IN ('', 'replaces', 'reminds'));
CREATE INDEX items_origin_idx ON items (origin_id) WHERE origin_id IS NOT NULL;

-- How long a letter that may be printed is left unread before somebody is told.
ALTER TABLE accounts ADD COLUMN unread_hours integer NOT NULL DEFAULT 0 -- 0: nobody is
    CONSTRAINT accounts_unread_check CHECK (unread_hours BETWEEN 0 AND 720);

-- What wants a person: one row for an item, with the first cause that holds and what people have written about it. Rows
-- follow from the items: triggers keep them where something happens, and a sweep finds deadlines. A row stays when
-- its cause ends, with what people wrote.
CREATE TABLE follow_ups (
    item_id    uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id uuid NOT NULL,
    cause      text NOT NULL,
    since      timestamptz NOT NULL, -- from when it holds
    ended_at   timestamptz,          -- it does not hold any more
    owner_id   uuid REFERENCES users,
    due_on     date,
    note       bytea,                -- sealed, bound to the item
    done_at    timestamptz,          -- a person marked it as followed up; forgotten when there is another cause
    done_by    uuid REFERENCES users,
    reason     bytea                 -- sealed, bound to the item: why that was enough
);
CREATE INDEX follow_ups_open_idx ON follow_ups (account_id, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_cause_idx ON follow_ups (account_id, cause, since DESC, item_id DESC) WHERE ended_at IS NULL AND done_at IS NULL;
CREATE INDEX follow_ups_owner_idx ON follow_ups (account_id, owner_id, since DESC, item_id DESC)
    WHERE ended_at IS NULL AND done_at IS NULL AND owner_id IS NOT NULL;

-- Few rows stand in these, so that most changes of items do not touch them.
CREATE INDEX items_unread_idx ON items (account_id, status_at) WHERE kind = 'shipment' AND state = 'accepted' AND status = 'VARSLET';
CREATE INDEX shipments_deadline_idx ON shipments (sign_by) WHERE sign_by IS NOT NULL AND signing_status IN ('', 'VENTER_SIGNERING');

-- follow_up_of is the one place that says what wants a person: no row when nothing does. An item that ended badly is
-- done with when another one that replaces it has been sent. That nothing has been heard of an item for long is seen by a
-- read that brings no news.
-- +goose StatementBegin
CREATE FUNCTION follow_up_of(it items) RETURNS TABLE (cause text, since timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.cause, c.since
    FROM (SELECT it.state = 'accepted' AND it.upstream_id IS NOT NULL AND it.status NOT IN (
                     'LEVERT', 'IKKE_SENDT', 'IKKE_LEVERT', 'LEST', 'LEVERT_SDP', 'PRINTET', 'AVVIST', 'MANUELT_HANDTERT',
                     'FEILET_UNDER_MOTTAK', 'SLETTET', 'LEVERT_ALTINN', 'LEVERT_NHN_MOTTAKER') AS under_way,
                 coalesce(it.status_at, it.accepted_at) AS heard_at,
                 greatest(it.checked_at, it.check_error_at) AS asked_at) known
    LEFT JOIN shipments s ON s.item_id = it.id
    CROSS JOIN LATERAL (VALUES
        (1, 'uncertain', it.state = 'uncertain' AND it.recover_at IS NULL, coalesce(it.reason_at, it.created_at)),
        (2, 'rejected', it.state = 'rejected', coalesce(it.reason_at, it.created_at)),
        (3, 'failed', it.state = 'failed', coalesce(it.reason_at, it.created_at)),
        (4, 'not_delivered', it.state = 'accepted' AND it.status IN ('AVVIST', 'IKKE_LEVERT', 'IKKE_SENDT', 'FEILET_UNDER_MOTTAK'), known.heard_at),
        (5, 'waiting', it.state = 'queued' AND it.due_since <= now() - interval '24 hours', it.due_since + interval '24 hours'),
        (6, 'signing_ended', it.state = 'accepted' AND s.signing_status IN ('AVVIST_AV_SVARUT', 'AVVIST_AV_MOTTAKER', 'UTLOPT'),
            coalesce(s.signing_at, known.heard_at)),
        (7, 'signing', it.state = 'accepted' AND s.signing_status IN ('', 'VENTER_SIGNERING') AND s.sign_by <= now() + interval '2 days',
            s.sign_by - interval '2 days'),
        (8, 'missing', known.under_way AND it.missing_reads >= 3, coalesce(it.checked_at, it.accepted_at)),
        (9, 'unread', it.state = 'accepted' AND it.kind = 'shipment' AND it.status = 'VARSLET' AND NOT s.digital_only AND EXISTS (
            SELECT FROM accounts a WHERE a.id = it.account_id AND a.unread_hours > 0
            AND known.asked_at >= it.status_at + a.unread_hours * interval '1 hour'), it.status_at),
        (10, 'silent', known.under_way AND known.asked_at >= known.heard_at + CASE it.kind WHEN 'sms' THEN interval '2 days' ELSE interval '7 days' END,
            known.heard_at)
    ) c (place, cause, holds, since)
    WHERE c.holds AND (c.cause IN ('uncertain', 'waiting') OR NOT EXISTS (
        SELECT FROM items n WHERE n.origin_id = it.id AND n.origin_kind = 'replaces' AND n.account_id = it.account_id
        AND n.state NOT IN ('draft', 'cancelled')))
    ORDER BY c.place
    LIMIT 1
$$;
-- +goose StatementEnd

-- keep_follow_up brings the row of one item in line with the item.
-- +goose StatementBegin
CREATE FUNCTION keep_follow_up(item uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO follow_ups AS f (item_id, account_id, cause, since)
    SELECT it.id, it.account_id, w.cause, w.since FROM items it CROSS JOIN LATERAL follow_up_of(it) w WHERE it.id = item
    ON CONFLICT (item_id) DO UPDATE SET cause = excluded.cause, since = excluded.since, ended_at = NULL, done_at = NULL, done_by = NULL, reason = NULL
    WHERE f.ended_at IS NOT NULL OR (f.cause, f.since) IS DISTINCT FROM (excluded.cause, excluded.since);
    UPDATE follow_ups SET ended_at = now()
    WHERE item_id = item AND ended_at IS NULL
      AND NOT EXISTS (SELECT FROM items it CROSS JOIN LATERAL follow_up_of(it) w WHERE it.id = item);
END $$;
-- +goose StatementEnd

-- troubled tells, of the row alone, whether it may want a person; most never do, and cost nothing more than this.
-- +goose StatementBegin
CREATE FUNCTION troubled(it items) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.state IN ('rejected', 'failed', 'uncertain') OR it.missing_reads >= 3
        OR it.status IN ('AVVIST', 'IKKE_LEVERT', 'IKKE_SENDT', 'FEILET_UNDER_MOTTAK')
        OR it.state = 'queued' AND it.due_since <= now() - interval '24 hours'
        OR it.state = 'accepted' AND coalesce(it.status_at, it.accepted_at) <= now() - interval '1 hour'
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION follow_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF troubled(OLD) OR troubled(NEW) OR OLD.state <> NEW.state THEN
        PERFORM keep_follow_up(NEW.id);
    END IF;
    IF (OLD.state, OLD.origin_id) IS DISTINCT FROM (NEW.state, NEW.origin_id) THEN
        PERFORM keep_follow_up(o.id) FROM (SELECT OLD.origin_id AS id UNION SELECT NEW.origin_id) o WHERE o.id IS NOT NULL;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_follow AFTER UPDATE ON items FOR EACH ROW
    WHEN ((OLD.state, OLD.reason_at, OLD.status, OLD.status_at, OLD.due_since, OLD.recover_at IS NULL, OLD.missing_reads >= 3, OLD.upstream_id, OLD.origin_id)
          IS DISTINCT FROM
          (NEW.state, NEW.reason_at, NEW.status, NEW.status_at, NEW.due_since, NEW.recover_at IS NULL, NEW.missing_reads >= 3, NEW.upstream_id, NEW.origin_id)
          AND (OLD.state IN ('rejected', 'failed', 'uncertain') OR NEW.state IN ('rejected', 'failed', 'uncertain')
               OR OLD.state = 'accepted' AND (NEW.state <> 'accepted' OR OLD.upstream_id IS DISTINCT FROM NEW.upstream_id)
               OR (OLD.status, OLD.status_at) IS DISTINCT FROM (NEW.status, NEW.status_at)
               OR OLD.missing_reads >= 3 OR NEW.missing_reads >= 3 OR OLD.origin_id IS NOT NULL OR NEW.origin_id IS NOT NULL
               OR OLD.due_since <= now() - interval '24 hours' OR NEW.due_since <= now() - interval '24 hours')
          OR NEW.state = 'accepted' AND NEW.settled_at IS NULL
             AND (OLD.checked_at, OLD.check_error_at) IS DISTINCT FROM (NEW.checked_at, NEW.check_error_at)
             AND coalesce(NEW.status_at, NEW.accepted_at) <= now() - interval '1 hour')
    EXECUTE FUNCTION follow_item();

-- Items are written before their content, so that a content of its own means a whole item: also of those that come in
-- bulk with a state and a status of long ago.
-- +goose StatementBegin
CREATE FUNCTION follow_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO follow_ups (item_id, account_id, cause, since)
    SELECT it.id, it.account_id, w.cause, w.since
    FROM made m JOIN items it ON it.id = m.item_id CROSS JOIN LATERAL follow_up_of(it) w
    WHERE it.state NOT IN ('draft', 'sending', 'cancelled')
      AND (it.status NOT IN ('LEVERT', 'LEST', 'LEVERT_SDP', 'PRINTET') OR it.kind = 'shipment' AND EXISTS (
          SELECT FROM shipments s WHERE s.item_id = it.id AND s.sign_by IS NOT NULL))
    ON CONFLICT (item_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sms_follow AFTER INSERT ON sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();
CREATE TRIGGER shipments_follow AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();

-- +goose StatementBegin
CREATE FUNCTION follow_signing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_follow_up(NEW.item_id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_follow_signing AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.signing_status, OLD.sign_by, OLD.digital_only) IS DISTINCT FROM (NEW.signing_status, NEW.sign_by, NEW.digital_only))
    EXECUTE FUNCTION follow_signing();

-- An account that changes its mind about unread letters is told of those that it says now.
-- +goose StatementBegin
CREATE FUNCTION follow_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_follow_up(it.id) FROM items it
    WHERE it.account_id = NEW.id AND it.kind = 'shipment' AND it.state = 'accepted' AND it.status = 'VARSLET';
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER accounts_follow_unread AFTER UPDATE ON accounts FOR EACH ROW
    WHEN (OLD.unread_hours <> NEW.unread_hours) EXECUTE FUNCTION follow_unread();

-- What was there before.
INSERT INTO follow_ups (item_id, account_id, cause, since)
SELECT it.id, it.account_id, w.cause, w.since FROM items it CROSS JOIN LATERAL follow_up_of(it) w;
