-- +goose Up
-- What was sent under an id of the account at a service is only known there under that one: its status, and whether it arrived
-- at all. An administrator may give the account another.
CREATE TABLE former_service_ids (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind       text NOT NULL, -- of what is sent under it
    service_id uuid NOT NULL,
    until      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT former_service_ids_pkey PRIMARY KEY (account_id, kind, until)
);

-- +goose StatementBegin
CREATE FUNCTION keep_service_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO former_service_ids (account_id, kind, service_id)
    SELECT old.id, f.kind, f.service_id
    FROM (VALUES ('sms', old.sms_account_id, new.sms_account_id), ('shipment', old.shipment_account_id, new.shipment_account_id)) AS f (kind, service_id, now)
    WHERE f.service_id IS DISTINCT FROM f.now AND f.service_id IS NOT NULL;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER accounts_service_ids AFTER UPDATE OF sms_account_id, shipment_account_id ON accounts
    FOR EACH ROW EXECUTE FUNCTION keep_service_ids();

-- service_id_at is the id that an account had at a service at a time.
-- +goose StatementBegin
CREATE FUNCTION service_id_at(account uuid, of text, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT f.service_id FROM former_service_ids f WHERE f.account_id = account AND f.kind = of AND f.until > at ORDER BY f.until LIMIT 1),
        (SELECT CASE of WHEN 'sms' THEN a.sms_account_id ELSE a.shipment_account_id END FROM accounts a WHERE a.id = account))
$$;
-- +goose StatementEnd
