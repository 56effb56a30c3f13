-- +goose Up
-- What one thing costs, in øre; 0: not said.
ALTER TABLE accounts
    ADD COLUMN price_sms integer NOT NULL DEFAULT 0, -- a part
    ADD COLUMN price_digital integer NOT NULL DEFAULT 0,
    ADD COLUMN price_print integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT accounts_prices_check CHECK (least(price_sms, price_digital, price_print) >= 0 AND greatest(price_sms, price_digital, price_print) <= 1000000);

-- What the team lead's page counts. A change of an item adds a row to stat_changes in its own transaction, so that no two
-- wait for each other; in the background they are put together in stats. The sum of both is always that of the items.
CREATE TABLE stat_changes (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   uuid NOT NULL,
    day          date NOT NULL, -- on which the item was made, in Oslo
    kind         text NOT NULL,
    outcome      text NOT NULL,
    sender       uuid NOT NULL,
    template_id  uuid,
    billing_code text NOT NULL,
    read_band    integer,
    sign_band    integer,
    n            bigint NOT NULL,
    parts        bigint NOT NULL
);
CREATE INDEX stat_changes_account_idx ON stat_changes (account_id, day);

-- One number for each day and each value of each dimension, not of their products: there are few, however much is sent.
CREATE TABLE stats (
    account_id uuid NOT NULL,
    day        date NOT NULL,
    kind       text NOT NULL,
    dimension  text NOT NULL,
    value      text NOT NULL,
    n          bigint NOT NULL,
    arrived    bigint NOT NULL,
    stopped    bigint NOT NULL,
    parts      bigint NOT NULL,
    CONSTRAINT stats_pkey PRIMARY KEY (account_id, day, dimension, kind, value)
) WITH (fillfactor = 80);

-- How an item is counted: not at all while it is a draft, as open until there is something to tell, then by the service's
-- status or by our state. What is handed over one by one does not change it until its first status, so that handing over
-- costs nothing more.
-- +goose StatementBegin
CREATE FUNCTION stat_outcome(state text, status text, upstream_id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state = 'draft' THEN NULL
                WHEN state IN ('queued', 'sending') THEN 'open'
                WHEN state <> 'accepted' THEN state
                WHEN status <> '' THEN status
                WHEN upstream_id IS NULL THEN 'untracked'
                ELSE 'open' END
$$;
-- +goose StatementEnd

-- The band of a time that something took.
-- +goose StatementBegin
CREATE FUNCTION stat_band(took interval) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN took < interval '1 hour' THEN 0 WHEN took < interval '4 hours' THEN 1 WHEN took < interval '1 day' THEN 2
                WHEN took < interval '2 days' THEN 3 WHEN took < interval '7 days' THEN 4 WHEN took IS NOT NULL THEN 5 END
$$;
-- +goose StatementEnd

-- The dimensions of one item, or of many alike.
-- +goose StatementBegin
CREATE FUNCTION stat_values(outcome text, sender uuid, template_id uuid, billing_code text, read_band integer, sign_band integer)
RETURNS TABLE (dimension text, value text) LANGUAGE sql IMMUTABLE AS $$
    SELECT d.dimension, d.value
    FROM (VALUES ('outcome', outcome), ('sender', sender::text), ('template', template_id::text), ('billing', nullif(billing_code, '')),
                 ('read', read_band::text), ('sign', sign_band::text)) d (dimension, value)
    WHERE d.value IS NOT NULL
$$;
-- +goose StatementEnd

-- Where the group of a list begins and ends is said there too; a test holds them against each other.
-- +goose StatementBegin
CREATE FUNCTION stat_arrived(outcome text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT outcome IN ('LEVERT', 'LEST', 'LEVERT_SDP', 'PRINTET', 'LEVERT_ALTINN', 'LEVERT_NHN_MOTTAKER')
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION stat_stopped(outcome text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT outcome IN ('rejected', 'failed', 'cancelled', 'IKKE_SENDT', 'IKKE_LEVERT', 'AVVIST', 'MANUELT_HANDTERT', 'FEILET_UNDER_MOTTAK', 'SLETTET')
$$;
-- +goose StatementEnd

-- stat_facts is what the items say: what all counts are held against, and made of.
CREATE VIEW stat_facts AS
    SELECT it.id AS item_id, it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date AS day, it.kind,
           stat_outcome(it.state, it.status, it.upstream_id) AS outcome, it.created_by AS sender, m.template_id, coalesce(h.billing_code, '') AS billing_code,
           CASE WHEN it.state = 'accepted' AND it.status = 'LEST' THEN stat_band(it.status_at - it.accepted_at) END AS read_band,
           CASE WHEN h.signing_status = 'SIGNERT_AV_MOTTAKER' THEN stat_band(h.signing_at - it.accepted_at) END AS sign_band,
           coalesce(m.parts, 0)::bigint AS parts
    FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
    WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);

-- stat_all is what is counted: what is put together, and what is not yet.
CREATE VIEW stat_all AS
    SELECT account_id, day, kind, dimension, value, n, arrived, stopped, parts FROM stats
    UNION ALL
    SELECT c.account_id, c.day, c.kind, d.dimension, d.value, c.n, CASE WHEN stat_arrived(c.outcome) THEN c.n ELSE 0 END,
           CASE WHEN stat_stopped(c.outcome) THEN c.n ELSE 0 END, c.parts
    FROM stat_changes c CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d;

-- An item that is counted differently: the row as it was goes out, and the row as it is comes in.
-- +goose StatementBegin
CREATE FUNCTION stat_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
    SELECT it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date, it.kind, stat_outcome(it.state, it.status, it.upstream_id), it.created_by,
           m.template_id, coalesce(h.billing_code, ''),
           CASE WHEN it.state = 'accepted' AND it.status = 'LEST' THEN stat_band(it.status_at - it.accepted_at) END,
           CASE WHEN h.signing_status = 'SIGNERT_AV_MOTTAKER' THEN stat_band(h.signing_at - it.accepted_at) END,
           it.n, it.n * coalesce(m.parts, 0)
    FROM (SELECT (OLD).*, -1 AS n UNION ALL SELECT (NEW).*, 1) it
    LEFT JOIN sms m ON m.item_id = it.id
    LEFT JOIN shipments h ON h.item_id = it.id
    WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_stat AFTER UPDATE ON items FOR EACH ROW
    WHEN (stat_outcome(OLD.state, OLD.status, OLD.upstream_id) IS DISTINCT FROM stat_outcome(NEW.state, NEW.status, NEW.upstream_id)
          OR NEW.status = 'LEST' AND OLD.status_at IS DISTINCT FROM NEW.status_at
          OR OLD.accepted_at IS NOT NULL AND OLD.accepted_at IS DISTINCT FROM NEW.accepted_at
          OR OLD.created_at <> NEW.created_at)
    EXECUTE FUNCTION stat_item();

-- Content comes after its item, one or thousands in a statement.
-- +goose StatementBegin
CREATE FUNCTION stat_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, f.template_id, f.billing_code, f.read_band, f.sign_band, count(*), sum(f.parts)
    FROM made m JOIN stat_facts f ON f.item_id = m.item_id
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sms_stat AFTER INSERT ON sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();
CREATE TRIGGER shipments_stat AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();

-- Of content, only what is counted by counts: what a letter is billed to, and when it was signed.
-- +goose StatementBegin
CREATE FUNCTION stat_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- or its change and ours would each count what the other changes
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, NULL, h.billing_code, f.read_band,
           CASE WHEN h.signing_status = 'SIGNERT_AV_MOTTAKER' THEN stat_band(h.signing_at - it.accepted_at) END, h.n, 0
    FROM (VALUES (OLD.billing_code, OLD.signing_status, OLD.signing_at, -1), (NEW.billing_code, NEW.signing_status, NEW.signing_at, 1))
         h (billing_code, signing_status, signing_at, n)
    CROSS JOIN stat_facts f JOIN items it ON it.id = f.item_id
    WHERE f.item_id = NEW.item_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_stat_content AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.billing_code, OLD.signing_status, OLD.signing_at) IS DISTINCT FROM (NEW.billing_code, NEW.signing_status, NEW.signing_at))
    EXECUTE FUNCTION stat_content();

-- +goose StatementBegin
CREATE FUNCTION stat_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
    SELECT account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, -1, -parts FROM stat_facts WHERE item_id = OLD.id;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_stat_gone BEFORE DELETE ON items FOR EACH ROW WHEN (OLD.state <> 'draft') EXECUTE FUNCTION stat_gone();

-- fold_stats puts changes together, at most so many, and returns how many it took. One does it at a time.
-- +goose StatementBegin
CREATE FUNCTION fold_stats(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE taken integer;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('fold_stats')) THEN
        RETURN 0;
    END IF;
    WITH gone AS (
        DELETE FROM stat_changes WHERE id IN (SELECT id FROM stat_changes ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED) RETURNING *
    ), put AS (
        INSERT INTO stats AS s (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
        SELECT c.account_id, c.day, c.kind, d.dimension, d.value, sum(c.n), coalesce(sum(c.n) FILTER (WHERE stat_arrived(c.outcome)), 0),
               coalesce(sum(c.n) FILTER (WHERE stat_stopped(c.outcome)), 0), sum(c.parts)
        FROM gone c CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.sign_band) d
        GROUP BY 1, 2, 3, 4, 5
        ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ON CONSTRAINT stats_pkey DO UPDATE SET n = s.n + excluded.n, arrived = s.arrived + excluded.arrived,
            stopped = s.stopped + excluded.stopped, parts = s.parts + excluded.parts
    )
    SELECT count(*) INTO taken FROM gone;
    RETURN taken;
END $$;
-- +goose StatementEnd

-- What was there before.
INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, n, parts)
SELECT account_id, day, kind, outcome, sender, template_id, billing_code, read_band, sign_band, count(*), sum(parts)
FROM stat_facts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

-- What is told of an item and of its content at the same time is followed up one after the other.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_signing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- or its change and ours would each miss what the other changes
    PERFORM keep_follow_up(NEW.item_id);
    RETURN NULL;
END $$;
-- +goose StatementEnd
