-- +goose Up
-- What goes with a letter besides its content.
ALTER TABLE shipments
    ADD COLUMN fault bytea, -- sealed, bound to the item: what the service said was wrong; NULL: nothing
    ADD COLUMN copy_of uuid REFERENCES items ON DELETE SET NULL, -- the item that the draft was made of
    ADD COLUMN handed_by uuid REFERENCES users, -- who handed the draft to its owner; NULL: nobody
    ADD COLUMN handed_at timestamptz,
    ADD COLUMN handed_version integer, -- of the draft when it was handed over: it may be taken back until it is changed
    ADD COLUMN service_status_at timestamptz, -- when the status changed, as the service tells
    ADD COLUMN deleted_documents text NOT NULL DEFAULT '' -- at the service
        CONSTRAINT shipments_deleted_documents_check CHECK (deleted_documents IN ('', 'originals', 'all')),
    ADD COLUMN template_id uuid,
    ADD COLUMN template_version integer,
    ADD CONSTRAINT shipments_handed_check CHECK ((handed_by IS NULL) = (handed_at IS NULL) AND (handed_by IS NULL) = (handed_version IS NULL)),
    ADD CONSTRAINT shipments_template_check CHECK ((template_id IS NULL) = (template_version IS NULL)),
    ADD CONSTRAINT shipments_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions;
CREATE INDEX shipments_copy_idx ON shipments (copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX shipments_handed_idx ON shipments (account_id, handed_by) WHERE handed_by IS NOT NULL;
CREATE INDEX shipments_template_idx ON shipments (account_id, template_id) WHERE template_id IS NOT NULL;

-- A template is of SMS texts, or of the choices of a letter. Choices may name somebody in the municipality: they are sealed.
ALTER TABLE templates ADD COLUMN kind text NOT NULL DEFAULT 'sms' CONSTRAINT templates_kind_check CHECK (kind IN ('sms', 'shipment'));
ALTER TABLE template_versions ADD COLUMN choices bytea; -- sealed, bound to template and version; NULL: an SMS
