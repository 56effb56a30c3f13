-- +goose Up
-- What goes out as a letter's external reference, where only that finds it again, is written with its attempt and unique
-- to the letter. NULL: an attempt before this migration, or one under a reserved id. So no letter waits for another with
-- the same reference any more.
ALTER TABLE attempts ADD COLUMN reference text;
DROP TRIGGER items_release_reference ON items;
DROP FUNCTION release_reference();
DROP INDEX shipments_reference_in_flight_idx;
ALTER TABLE shipments DROP COLUMN reference_in_flight;

-- A letter is searched by its correlation id too. As a generated column, words could be given another expression only by
-- writing the whole table anew.
ALTER TABLE shipments ADD COLUMN correlation_id text NOT NULL DEFAULT '';
CREATE INDEX shipments_correlation_idx ON shipments (account_id, correlation_id) WHERE correlation_id <> '';
ALTER TABLE shipments ALTER COLUMN words DROP EXPRESSION;
ALTER TABLE shipments ALTER COLUMN words SET DEFAULT '';
-- +goose StatementBegin
CREATE FUNCTION shipment_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.words := CASE WHEN NEW.content IS NULL THEN ''
        ELSE list_words(NEW.recipient_name || ' ' || NEW.title || ' ' || NEW.external_reference || ' ' || NEW.correlation_id) END;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER shipments_words BEFORE INSERT OR UPDATE OF content, recipient_name, title, external_reference, correlation_id, words ON shipments
    FOR EACH ROW EXECUTE FUNCTION shipment_words();
