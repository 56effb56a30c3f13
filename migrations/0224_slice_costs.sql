-- +goose Up
-- Slices of a divided file may have different costs: the cost of each when the job was sent, and the total of the shipments that
-- are not made yet.
ALTER TABLE jobs ADD COLUMN slice_costs jsonb NOT NULL DEFAULT '[]', ADD COLUMN cost_left bigint NOT NULL DEFAULT 0;
UPDATE jobs SET cost_left = (recipients - made) * greatest(cost_print, cost_digital)::bigint
WHERE kind = 'shipment' AND sent_at IS NOT NULL AND made_at IS NULL AND stopped_at IS NULL;
