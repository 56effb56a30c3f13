-- Accounts and rights.

-- At the end of the transaction: nobody holds the row while waiting for another. In SQL: whatever changes rights, in any program.
CREATE FUNCTION change_rights_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE rights_version SET version = gen_random_uuid();
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER role_mappings_rights AFTER INSERT OR UPDATE OR DELETE ON role_mappings
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
CREATE CONSTRAINT TRIGGER accounts_rights AFTER INSERT OR UPDATE OR DELETE ON accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
CREATE CONSTRAINT TRIGGER integrations_rights AFTER UPDATE OF kind, environment, certificate_expires_at ON integrations
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();

-- The id under which an account was known at a service stays known.
CREATE FUNCTION keep_service_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO former_service_ids (account_id, kind, service_id)
    SELECT old.id, f.kind, f.service_id
    FROM (VALUES ('sms', old.sms_account_id, new.sms_account_id), ('shipment', old.shipment_account_id, new.shipment_account_id)) AS f (kind, service_id, now)
    WHERE f.service_id IS DISTINCT FROM f.now AND f.service_id IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_service_ids AFTER UPDATE OF sms_account_id, shipment_account_id ON accounts
    FOR EACH ROW EXECUTE FUNCTION keep_service_ids();

-- The id that an account had at a service at a time.
CREATE FUNCTION service_id_at(account uuid, of text, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT f.service_id FROM former_service_ids f WHERE f.account_id = account AND f.kind = of AND f.until > at ORDER BY f.until LIMIT 1),
        (SELECT CASE of WHEN 'sms' THEN a.sms_account_id ELSE a.shipment_account_id END FROM accounts a WHERE a.id = account))
$$;
