-- +goose Up
-- Whether nothing has been accepted with the set of credentials in use since the sets changed. Each acceptance asks for it, and a look at
-- the sets would slow them all.
ALTER TABLE integrations ADD COLUMN unproven boolean NOT NULL DEFAULT true;
UPDATE integrations i SET unproven = NOT EXISTS (SELECT FROM credentials c WHERE c.integration_id = i.id AND c.state = 'active' AND c.worked_at IS NOT NULL);
