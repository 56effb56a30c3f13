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

-- What a shipment costs its account: the price of its channel, or the higher one until the channel is known; nothing if it was not
-- handed over.
CREATE FUNCTION shipment_cost(state text, route text, print integer, digital integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN state IN ('draft', 'cancelled', 'rejected', 'failed') THEN 0
                WHEN route = 'digital' THEN digital
                WHEN route = 'print' THEN print
                ELSE greatest(print, digital) END
$$;

-- What all shipments cost, each in its month: shipment_usage is the sum.
CREATE VIEW shipment_costs AS
    SELECT h.item_id, h.account_id, h.cost_month AS month, shipment_cost(it.state, r.route, h.cost_print, h.cost_digital) AS ore
    FROM shipments h JOIN items it ON it.id = h.item_id
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
    WHERE h.cost_month IS NOT NULL;

-- Adds to what an account has spent in a month. Rows that nobody else holds are folded now and then.
CREATE FUNCTION add_shipment_usage(account uuid, of_month date, spent bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE added bigint;
BEGIN
    IF of_month IS NULL OR spent = 0 THEN
        RETURN;
    END IF;
    INSERT INTO shipment_usage (account_id, month, ore) VALUES (account, of_month, spent) RETURNING id INTO added;
    IF added % 64 = 0 THEN
        WITH free AS (
            SELECT id FROM shipment_usage WHERE account_id = account AND month = of_month FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM shipment_usage u USING free WHERE u.id = free.id RETURNING u.ore
        )
        INSERT INTO shipment_usage (account_id, month, ore) SELECT account, of_month, sum(ore) FROM gone HAVING count(*) > 0;
    END IF;
END $$;

-- Counts the cost of shipments that are created as sent, thousands in a statement. In SQL, as for SMS: one that forgot would
-- leave the budget wrong.
CREATE FUNCTION shipments_made_cost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM made WHERE cost_month IS NOT NULL) THEN -- drafts cost nothing yet
        PERFORM add_shipment_usage(c.account_id, c.month, sum(c.ore)) FROM made m JOIN shipment_costs c ON c.item_id = m.item_id
        WHERE m.cost_month IS NOT NULL GROUP BY c.account_id, c.month;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_made_cost AFTER INSERT ON shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION shipments_made_cost();

-- Counts a changed cost or month. A changed item is handled in items.sql.
CREATE FUNCTION shipments_changed_cost() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    it items;
    known statuses;
BEGIN
    SELECT * INTO it FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would count each other's change
    SELECT * INTO known FROM statuses r WHERE r.kind = it.kind AND r.status = it.status;
    PERFORM add_shipment_usage(OLD.account_id, OLD.cost_month, -shipment_cost(it.state, known.route, OLD.cost_print, OLD.cost_digital));
    PERFORM add_shipment_usage(NEW.account_id, NEW.cost_month, shipment_cost(it.state, known.route, NEW.cost_print, NEW.cost_digital));
    RETURN NULL;
END $$;
CREATE TRIGGER shipments_changed_cost AFTER UPDATE OF cost_month, cost_print, cost_digital ON shipments FOR EACH ROW
    WHEN ((OLD.cost_month, OLD.cost_print, OLD.cost_digital) IS DISTINCT FROM (NEW.cost_month, NEW.cost_print, NEW.cost_digital))
    EXECUTE FUNCTION shipments_changed_cost();
