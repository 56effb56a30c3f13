-- Protected people. In SQL: items get their recipient in many statements, and one that forgot to check would reveal the person to
-- everybody.

CREATE FUNCTION protected_sms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.protected_id := (SELECT p.person_id FROM protected_numbers p WHERE p.account_id = NEW.account_id AND p.number_hash = NEW.recipient_hash);
    RETURN NEW;
END $$;
CREATE TRIGGER sms_protected BEFORE INSERT OR UPDATE OF recipient_hash ON sms FOR EACH ROW EXECUTE FUNCTION protected_sms();

CREATE FUNCTION protected_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.protected_id := (SELECT p.person_id FROM protected_numbers p WHERE p.account_id = NEW.account_id AND p.number_hash = NEW.number_hash);
    RETURN NEW;
END $$;
CREATE TRIGGER shipments_protected BEFORE INSERT OR UPDATE OF number_hash ON shipments FOR EACH ROW EXECUTE FUNCTION protected_shipment();

-- Only named users may send to a protected person.
CREATE FUNCTION protected_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT protected_id FROM sms WHERE item_id = NEW.id UNION ALL SELECT protected_id FROM shipments WHERE item_id = NEW.id) o
        WHERE o.protected_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = o.protected_id AND w.user_id = NEW.created_by)) THEN
        RAISE EXCEPTION 'the recipient is protected' USING ERRCODE = 'check_violation', CONSTRAINT = 'protected_sender';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER items_protected_sender BEFORE UPDATE OF state ON items FOR EACH ROW
    WHEN (OLD.state = 'draft' AND NEW.state = 'queued') EXECUTE FUNCTION protected_sender();
