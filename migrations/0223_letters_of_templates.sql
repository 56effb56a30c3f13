-- +goose Up
-- A job of shipments names the template of its draft, as its shipments do. A template of shipments has no written form.
ALTER TABLE jobs DROP CONSTRAINT jobs_template_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_template_check CHECK (
    (template_id IS NULL) = (template_version IS NULL) AND (template_id IS NULL OR kind = 'shipment') = (template_form = '')
    AND template_form IN ('', 'nb', 'nn'));

-- In the order of the lists, like the index of SMS.
DROP INDEX shipments_template_idx;
CREATE INDEX shipments_template_idx ON shipments (account_id, template_id, created_at DESC, item_id DESC) WHERE template_id IS NOT NULL;
