-- Shipments.

-- The words of a text for searching: small letters, one blank before each and after the last. What is no letter and no digit parts
-- words, so that "mari-anne" is found by "anne", and nothing is left that LIKE would read as a sign. The letters are named since
-- lower() knows those of the database's locale only.
CREATE FUNCTION list_words(string text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(' ' || nullif(btrim(regexp_replace(
        translate(lower(string), 'ÆØÅÄÖÜÀÁÂÃÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÙÚÛÝÞČĐŊŠŦŽŁŃŚŹŻĄĘĆ', 'æøåäöüàáâãçèéêëìíîïðñòóôõùúûýþčđŋšŧžłńśźżąęć'),
        '[][[:space:]!"#$%&''()*+,./:;<=>?@\\^_`{|}~–—’´«»…·§-]+', ' ', 'g')), '') || ' ', '')
$$;

-- The words that a shipment is found by; a draft has none. In SQL: PostgreSQL 15 changes a generated expression only by rewriting
-- the table.
CREATE FUNCTION shipment_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.words := CASE WHEN NEW.content IS NULL THEN ''
        ELSE list_words(NEW.recipient_name || ' ' || NEW.title || ' ' || NEW.external_reference || ' ' || NEW.correlation_id) END;
    RETURN NEW;
END $$;
CREATE TRIGGER shipments_words BEFORE INSERT OR UPDATE OF content, recipient_name, title, external_reference, correlation_id, words ON shipments
    FOR EACH ROW EXECUTE FUNCTION shipment_words();
