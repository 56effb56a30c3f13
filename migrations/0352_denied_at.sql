-- +goose Up
-- When the service last refused a set of credentials, unless it has accepted something with it since; and which set was tried last.
ALTER TABLE credentials ADD COLUMN denied_at timestamptz;
UPDATE credentials SET denied_at = refused_at;
ALTER TABLE integrations ADD COLUMN tried_set uuid;
UPDATE integrations i SET tried_set = (SELECT c.id FROM credentials c WHERE c.integration_id = i.id AND c.state = 'active')
WHERE i.tried_at > (SELECT max(greatest(o.created_at, o.replaced_at, o.refused_at)) FROM credentials o WHERE o.integration_id = i.id);
