-- Shipments.

-- The search terms of a text: lower case words, each preceded by a blank, with a blank at the end. Everything but letters and
-- digits separates words, so that "anne" finds "mari-anne", and no wildcard of LIKE remains. Letters are listed because lower()
-- knows only those of the database's locale.
CREATE FUNCTION list_words(string text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(' ' || nullif(btrim(regexp_replace(
        translate(lower(string), 'ÆØÅÄÖÜÀÁÂÃÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÙÚÛÝÞČĐŊŠŦŽŁŃŚŹŻĄĘĆ', 'æøåäöüàáâãçèéêëìíîïðñòóôõùúûýþčđŋšŧžłńśźżąęć'),
        '[][[:space:]!"#$%&''()*+,./:;<=>?@\\^_`{|}~–—’´«»…·§-]+', ' ', 'g')), '') || ' ', '')
$$;

-- The search terms of a shipment; a draft has none. A trigger, since PostgreSQL 15 changes a generated expression only by rewriting
-- the table.
CREATE FUNCTION shipment_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.words := CASE WHEN NEW.content IS NULL THEN ''
        ELSE list_words(NEW.recipient_name || ' ' || NEW.title || ' ' || NEW.external_reference || ' ' || NEW.correlation_id) END;
    RETURN NEW;
END $$;
CREATE TRIGGER shipments_words BEFORE INSERT OR UPDATE OF content, recipient_name, title, external_reference, correlation_id, words ON shipments
    FOR EACH ROW EXECUTE FUNCTION shipment_words();
