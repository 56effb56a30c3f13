-- Accounts and rights.

-- Changes the version at the end of each transaction that changes rights, so that its row is locked only briefly. In SQL: a
-- statement that forgot it would leave old rights in caches.
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

-- The id of an account at a service at a given time.
CREATE FUNCTION service_id_at(account uuid, of text, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT f.service_id FROM former_service_ids f WHERE f.account_id = account AND f.kind = of AND f.until > at ORDER BY f.until LIMIT 1),
        (SELECT CASE of WHEN 'sms' THEN a.sms_account_id ELSE a.shipment_account_id END FROM accounts a WHERE a.id = account))
$$;
