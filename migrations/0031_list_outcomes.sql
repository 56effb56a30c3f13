-- +goose Up
-- Every number of the team lead's page leads to a list that equals it. What it counts by stands beside what lists are read
-- by, and is kept by the same triggers.
ALTER TABLE listed
    ADD COLUMN outcome text NOT NULL DEFAULT '', -- as numbers call it; '': a draft is not counted
    ADD COLUMN read_band integer,
    ADD COLUMN sign_band integer;

-- The band of how long a signature took, of what is signed.
-- +goose StatementBegin
CREATE FUNCTION list_sign_band(item uuid) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT stat_band(h.signing_at - it.accepted_at) FROM shipments h JOIN items it ON it.id = h.item_id
    WHERE h.item_id = item AND h.signing_status = 'SIGNERT_AV_MOTTAKER'
$$;
-- +goose StatementEnd

UPDATE listed l SET outcome = coalesce(stat_outcome(it.state, it.status, it.upstream_id), ''),
    read_band = CASE WHEN it.state = 'accepted' AND it.status = 'LEST' THEN stat_band(it.status_at - it.accepted_at) END
FROM items it WHERE it.id = l.item_id;
UPDATE listed l SET sign_band = list_sign_band(l.item_id)
FROM shipments h WHERE h.item_id = l.item_id AND h.signing_status = 'SIGNERT_AV_MOTTAKER';

-- How something reaches its recipient, as dispatch.RouteOf says; a test holds them against each other.
ALTER TABLE listed ADD COLUMN route text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN outcome = '' THEN ''
         WHEN kind = 'sms' THEN 'sms'
         WHEN outcome IN ('SENDT_PRINT', 'PRINTET') THEN 'print'
         WHEN outcome IN ('LEST', 'VARSLET', 'KLAR_FOR_MOTTAK', 'SENDT_DIGITALT', 'SENDT_SDP', 'LEVERT_SDP', 'SENDT_ALTINN', 'LEVERT_ALTINN',
                          'SENDT_NHN_MOTTAKER', 'LEVERT_NHN_MOTTAKER') THEN 'digital'
         ELSE 'open' END) STORED;
CREATE INDEX listed_outcome_idx ON listed (account_id, kind, outcome, created_at DESC, item_id DESC)
    WHERE outcome IN ('open', 'untracked', 'rejected', 'failed', 'cancelled');
CREATE INDEX listed_route_idx ON listed (account_id, route, created_at DESC, item_id DESC) WHERE kind = 'shipment';
CREATE INDEX listed_read_idx ON listed (account_id, read_band, created_at DESC, item_id DESC) WHERE read_band IS NOT NULL;
CREATE INDEX listed_sign_idx ON listed (account_id, sign_band, created_at DESC, item_id DESC) WHERE sign_band IS NOT NULL;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status, outcome, read_band)
    SELECT id, account_id, kind, created_at, created_by, list_group, CASE state WHEN 'accepted' THEN status ELSE '' END,
           coalesce(stat_outcome(state, status, upstream_id), ''),
           CASE WHEN state = 'accepted' AND status = 'LEST' THEN stat_band(status_at - accepted_at) END
    FROM fresh;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE listed SET created_at = NEW.created_at, created_by = NEW.created_by, list_group = NEW.list_group,
        status = CASE NEW.state WHEN 'accepted' THEN NEW.status ELSE '' END,
        outcome = coalesce(stat_outcome(NEW.state, NEW.status, NEW.upstream_id), ''),
        read_band = CASE WHEN NEW.state = 'accepted' AND NEW.status = 'LEST' THEN stat_band(NEW.status_at - NEW.accepted_at) END
    WHERE item_id = NEW.id;
    IF OLD.accepted_at <> NEW.accepted_at THEN
        UPDATE listed SET sign_band = list_sign_band(NEW.id) WHERE item_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
DROP TRIGGER items_listed_change ON items;
CREATE TRIGGER items_listed_change AFTER UPDATE OF state, status, status_at, accepted_at, upstream_id, created_by, created_at ON items FOR EACH ROW
    WHEN (OLD.list_group <> NEW.list_group OR OLD.status <> NEW.status OR OLD.created_by <> NEW.created_by OR OLD.created_at <> NEW.created_at
          OR NEW.status <> '' AND (OLD.state = 'accepted') <> (NEW.state = 'accepted')
          OR stat_outcome(OLD.state, OLD.status, OLD.upstream_id) IS DISTINCT FROM stat_outcome(NEW.state, NEW.status, NEW.upstream_id)
          OR NEW.status = 'LEST' AND OLD.status_at IS DISTINCT FROM NEW.status_at
          OR OLD.accepted_at IS NOT NULL AND OLD.accepted_at IS DISTINCT FROM NEW.accepted_at)
    EXECUTE FUNCTION list_change();

-- +goose StatementBegin
CREATE FUNCTION list_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- or its change and ours would each miss what the other changes
    UPDATE listed SET sign_band = list_sign_band(NEW.item_id) WHERE item_id = NEW.item_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_listed_signed AFTER UPDATE ON shipments FOR EACH ROW
    WHEN ((OLD.signing_status, OLD.signing_at) IS DISTINCT FROM (NEW.signing_status, NEW.signing_at))
    EXECUTE FUNCTION list_signed();

-- +goose StatementBegin
CREATE FUNCTION list_signed_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE listed l SET sign_band = list_sign_band(l.item_id) FROM made m
    WHERE m.item_id = l.item_id AND m.signing_status = 'SIGNERT_AV_MOTTAKER';
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_listed_new AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION list_signed_new();

-- What was written from a template is listed in the order of its items, beside a copy of their time.
ALTER TABLE sms ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
UPDATE sms m SET created_at = it.created_at FROM items it WHERE it.id = m.item_id AND m.template_id IS NOT NULL;
CREATE INDEX sms_template_list_idx ON sms (account_id, template_id, created_at DESC, item_id DESC) WHERE template_id IS NOT NULL;
DROP INDEX sms_template_idx;
