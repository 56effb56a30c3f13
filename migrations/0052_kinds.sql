-- +goose Up
-- A form's key is one of its kind of item, and so is content: the key of a letter's form, posted as that of an SMS, gave the
-- letter an SMS beside it.
DROP INDEX items_form_key;
CREATE UNIQUE INDEX items_form_key ON items (account_id, created_by, form_key, kind) WHERE job_id IS NULL;
ALTER TABLE jobs DROP CONSTRAINT jobs_form_key;
ALTER TABLE jobs ADD CONSTRAINT jobs_form_key UNIQUE (account_id, created_by, form_key, kind);

-- As a foreign key of id and kind this would be one more index that each change of an item writes.
-- +goose StatementBegin
CREATE FUNCTION kind_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM fresh f JOIN items it ON it.id = f.item_id WHERE it.kind <> TG_ARGV[0]) THEN
        RAISE EXCEPTION 'content of another kind than its item' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sms_kind AFTER INSERT ON sms REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('sms');
CREATE TRIGGER shipments_kind AFTER INSERT ON shipments REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('shipment');
-- +goose StatementBegin
CREATE FUNCTION kind_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an item stays of its kind' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_kind BEFORE UPDATE OF kind ON items FOR EACH ROW WHEN (OLD.kind <> NEW.kind) EXECUTE FUNCTION kind_stays();
