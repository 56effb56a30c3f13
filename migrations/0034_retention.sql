-- +goose Up
-- How long things are kept, where an administrator has chosen another number of days than the program's.
CREATE TABLE retention (
    keeping    text PRIMARY KEY,
    days       integer NOT NULL CONSTRAINT retention_days_check CHECK (days > 0),
    changed_at timestamptz NOT NULL DEFAULT now(),
    changed_by uuid NOT NULL REFERENCES users
);

-- What is kept although its time is up: nothing of it goes while the row stands.
CREATE TABLE holds (
    item_id    uuid PRIMARY KEY REFERENCES items,
    account_id uuid NOT NULL REFERENCES accounts,
    reason     text NOT NULL, -- no numbers stand in it
    set_by     uuid NOT NULL REFERENCES users,
    set_at     timestamptz NOT NULL DEFAULT now()
);

-- The nights on which something was purged: one process does it, and another when that one died.
CREATE TABLE purges (
    night      date PRIMARY KEY, -- in Oslo
    started_at timestamptz NOT NULL,
    ended_at   timestamptz,
    counts     jsonb NOT NULL DEFAULT '{}'
);

-- What has been purged is NULL, but for a letter's content: an empty one tells it from a draft.
ALTER TABLE sms ALTER COLUMN text DROP NOT NULL;
ALTER TABLE sms ALTER COLUMN recipient DROP NOT NULL;

-- Times do not change, so that this costs nearly nothing when items do.
CREATE INDEX items_created_idx ON items USING brin (created_at);

-- When a draft was changed last.
ALTER TABLE shipments ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
-- +goose StatementBegin
CREATE FUNCTION draft_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_changed BEFORE UPDATE OF version ON shipments FOR EACH ROW
    WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION draft_changed();

-- item_ended_at is when something last happened to an item that has come to its end; NULL while it may go, is going, waits for
-- a decision, or is still read. That somebody looked at it changes nothing.
-- +goose StatementBegin
CREATE FUNCTION item_ended_at(it items) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN it.state IN ('rejected', 'failed', 'cancelled') OR it.state = 'accepted' AND it.next_check_at IS NULL
        THEN greatest(it.created_at, it.accepted_at, it.status_at, it.settled_at, it.reason_at,
                      (SELECT max(e.at) FROM events e WHERE e.item_id = it.id AND e.kind NOT IN ('revealed', 'opened'))) END
$$;
-- +goose StatementEnd

-- What is due to go at a time, of those kept for so many days. One place for the preview and for the purge.
-- +goose StatementBegin
CREATE FUNCTION content_due(it items, at timestamptz, days integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.created_at < at - days * interval '1 day' AND item_ended_at(it) < at - days * interval '1 day'
       AND NOT EXISTS (SELECT FROM holds h WHERE h.item_id = it.id)
       AND (EXISTS (SELECT FROM sms m WHERE m.item_id = it.id AND m.text IS NOT NULL)
            OR EXISTS (SELECT FROM shipments s WHERE s.item_id = it.id AND s.content <> ''))
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION identity_due(it items, at timestamptz, days integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.created_at < at - days * interval '1 day' AND item_ended_at(it) < at - days * interval '1 day'
       AND NOT EXISTS (SELECT FROM holds h WHERE h.item_id = it.id)
       AND (EXISTS (SELECT FROM sms m WHERE m.item_id = it.id AND m.recipient IS NOT NULL)
            OR EXISTS (SELECT FROM shipments s WHERE s.item_id = it.id AND (s.number_hash IS NOT NULL OR s.recipient_name <> '' OR s.title <> '')))
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION row_due(it items, at timestamptz, days integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.created_at < at - days * interval '1 day' AND item_ended_at(it) < at - days * interval '1 day'
       AND NOT EXISTS (SELECT FROM holds h WHERE h.item_id = it.id)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION draft_due(it items, at timestamptz, days integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT it.state = 'draft' AND it.created_at < at - days * interval '1 day'
       AND coalesce((SELECT max(e.at) FROM events e WHERE e.item_id = it.id), it.created_at) < at - days * interval '1 day'
       AND NOT EXISTS (SELECT FROM shipments s WHERE s.item_id = it.id AND s.changed_at >= at - days * interval '1 day')
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION job_due(j jobs, at timestamptz, days integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT j.state IN ('done', 'stopped') AND j.created_at < at - days * interval '1 day'
       AND (j.content IS NOT NULL OR j.pattern IS NOT NULL)
       AND NOT EXISTS (SELECT FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments s ON s.item_id = it.id
                       WHERE it.job_id = j.id AND (m.text IS NOT NULL OR s.content <> ''))
$$;
-- +goose StatementEnd
