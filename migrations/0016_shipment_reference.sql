-- +goose Up
-- Letters are searched by the reference that people gave them.
CREATE INDEX shipments_reference_idx ON shipments (account_id, external_reference) WHERE external_reference <> '';

-- Whether an account is alone with an integration is asked before what others may have sent over it is shown.
CREATE INDEX items_sent_over_idx ON items (integration_id, account_id) WHERE kind = 'shipment' AND integration_id IS NOT NULL;
