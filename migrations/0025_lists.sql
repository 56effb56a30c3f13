-- +goose Up
-- What lists choose and search by. A trusted extension is made by whoever owns the database.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The group that lists put an item in, as dispatch.Item.Group does, but for what depends on the time: of those that work,
-- the queued ones that are due later are planned.
ALTER TABLE items ADD COLUMN list_group text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN state = 'draft' THEN 'draft'
         WHEN state = 'uncertain' THEN 'uncertain'
         WHEN state IN ('rejected', 'failed', 'cancelled') THEN 'stopped'
         WHEN state <> 'accepted' THEN 'working'
         WHEN status IN ('SENDT', 'UKJENT', 'SENDT_DIGITALT', 'SENDT_SDP', 'SENDT_PRINT', 'SENDT_ALTINN', 'SENDT_NHN_MOTTAKER') THEN 'on_its_way'
         WHEN status IN ('LEVERT', 'LEST', 'LEVERT_SDP', 'PRINTET', 'LEVERT_ALTINN', 'LEVERT_NHN_MOTTAKER') THEN 'arrived'
         WHEN status IN ('IKKE_SENDT', 'IKKE_LEVERT', 'AVVIST', 'MANUELT_HANDTERT', 'FEILET_UNDER_MOTTAK', 'SLETTET') THEN 'stopped'
         ELSE 'working' END) STORED;
CREATE INDEX items_planned_idx ON items (account_id, kind, due_since) WHERE state = 'queued';
CREATE INDEX items_draft_idx ON items (account_id, created_by, kind, created_at DESC, id DESC) WHERE state = 'draft';

-- What the lists of an account are read by, in the order of each. Every change of an item writes all indexes of items, and
-- delivery makes several; these rows change only with what a list shows. Triggers keep them, so that no writer can forget.
CREATE TABLE listed (
    item_id    uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    kind       text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid NOT NULL,
    list_group text NOT NULL,
    status     text NOT NULL -- '': none is shown
);
INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status)
SELECT id, account_id, kind, created_at, created_by, list_group, CASE state WHEN 'accepted' THEN status ELSE '' END FROM items;
CREATE INDEX listed_idx ON listed (account_id, kind, created_at DESC, item_id DESC);
CREATE INDEX listed_group_idx ON listed (account_id, kind, list_group, created_at DESC, item_id DESC);
CREATE INDEX listed_status_idx ON listed (account_id, kind, status, created_at DESC, item_id DESC) WHERE status <> '';
CREATE INDEX listed_creator_idx ON listed (account_id, kind, created_by, created_at DESC, item_id DESC);
DROP INDEX items_list_idx;

-- +goose StatementBegin
CREATE FUNCTION list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status)
    SELECT id, account_id, kind, created_at, created_by, list_group, CASE state WHEN 'accepted' THEN status ELSE '' END FROM fresh;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_listed_new AFTER INSERT ON items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION list_new();

-- +goose StatementBegin
CREATE FUNCTION list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE listed SET created_at = NEW.created_at, created_by = NEW.created_by, list_group = NEW.list_group,
        status = CASE NEW.state WHEN 'accepted' THEN NEW.status ELSE '' END
    WHERE item_id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_listed_change AFTER UPDATE OF state, status, created_by, created_at ON items FOR EACH ROW
    WHEN (OLD.list_group <> NEW.list_group OR OLD.status <> NEW.status OR OLD.created_by <> NEW.created_by OR OLD.created_at <> NEW.created_at
          OR NEW.status <> '' AND (OLD.state = 'accepted') <> (NEW.state = 'accepted'))
    EXECUTE FUNCTION list_change();

-- +goose StatementBegin
CREATE FUNCTION list_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM listed l USING gone WHERE l.item_id = gone.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_listed_gone AFTER DELETE ON items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION list_gone();

-- The words of a text for searching: small letters, one blank before each and after the last. What is no letter and no
-- digit parts words, so that "mari-anne" is found by "anne", and nothing is left that LIKE would read as a sign. The
-- letters are named since lower() knows those of the database's locale only.
-- +goose StatementBegin
CREATE FUNCTION list_words(string text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(' ' || nullif(btrim(regexp_replace(
        translate(lower(string), 'ÆØÅÄÖÜÀÁÂÃÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÙÚÛÝÞČĐŊŠŦŽŁŃŚŹŻĄĘĆ', 'æøåäöüàáâãçèéêëìíîïðñòóôõùúûýþčđŋšŧžłńśźżąęć'),
        '[][[:space:]!"#$%&''()*+,./:;<=>?@\\^_`{|}~–—’´«»…·§-]+', ' ', 'g')), '') || ' ', '')
$$;
-- +goose StatementEnd

-- A letter is searched by the words of its recipient's name, its title and its reference; a draft by none. Everything that
-- a list of letters is chosen by stands beside the time that it is ordered by, which is that of the item.
ALTER TABLE shipments
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN shipment_type text NOT NULL DEFAULT '',
    ADD COLUMN words text NOT NULL GENERATED ALWAYS AS (
        CASE WHEN content IS NULL THEN '' ELSE list_words(recipient_name || ' ' || title || ' ' || external_reference) END) STORED;
UPDATE shipments h SET created_at = it.created_at FROM items it WHERE it.id = h.item_id;
CREATE INDEX shipments_words_idx ON shipments USING gin (account_id, words gin_trgm_ops) WITH (gin_pending_list_limit = 1024) WHERE words <> '';
CREATE INDEX shipments_list_idx ON shipments (account_id, created_at DESC, item_id DESC) WHERE words <> '';
CREATE INDEX shipments_billing_idx ON shipments (account_id, billing_code, created_at DESC, item_id DESC) WHERE billing_code <> '';
CREATE INDEX shipments_type_idx ON shipments (account_id, shipment_type, created_at DESC, item_id DESC) WHERE shipment_type <> '';
CREATE INDEX shipments_signing_idx ON shipments (account_id, signing_status, created_at DESC, item_id DESC) WHERE sign_by IS NOT NULL;
