-- +goose Up
-- What the rights of a login follow from has a version: another one as soon as a change of it is there. A process keeps
-- what it has worked out for as long as the version, which it reads with each session, is the same. It is no number, which
-- a database out of a backup would count up once more.
CREATE TABLE rights_version (
    one     boolean PRIMARY KEY DEFAULT true CONSTRAINT rights_version_one_check CHECK (one),
    version uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO rights_version DEFAULT VALUES;

-- +goose StatementBegin
CREATE FUNCTION change_rights_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE rights_version SET version = gen_random_uuid();
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- At the end of the transaction: nobody holds this row while waiting for another.
CREATE CONSTRAINT TRIGGER role_mappings_rights AFTER INSERT OR UPDATE OR DELETE ON role_mappings
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
CREATE CONSTRAINT TRIGGER accounts_rights AFTER INSERT OR UPDATE OR DELETE ON accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
-- Of an integration an account shows these.
CREATE CONSTRAINT TRIGGER integrations_rights AFTER UPDATE OF kind, environment, certificate_expires_at ON integrations
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
