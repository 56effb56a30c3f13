-- +goose Up
-- An integration may call the third generation of the shipment service.
ALTER TABLE integrations DROP CONSTRAINT integrations_kind_check;
ALTER TABLE integrations ADD CONSTRAINT integrations_kind_check CHECK (kind IN ('sms', 'shipment_v1', 'shipment_v2', 'shipment_v3'));
