-- +goose Up
-- When the service last accepted something with a set of credentials. Until now only the integration's last success was known: it is
-- that of the active set, when no set has been changed since.
ALTER TABLE credentials ADD COLUMN worked_at timestamptz;
UPDATE credentials c SET worked_at = i.last_success_at FROM integrations i
WHERE i.id = c.integration_id AND c.state = 'active' AND c.refused_at IS NULL
  AND i.last_success_at > (SELECT max(greatest(o.created_at, o.replaced_at, o.refused_at)) FROM credentials o WHERE o.integration_id = i.id);
