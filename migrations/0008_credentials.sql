-- +goose Up
-- What an integration logs in with, one row for each set that was received. Only the sealed column tells anything secret.
CREATE TABLE credentials (
    id               uuid PRIMARY KEY,
    integration_id   uuid NOT NULL REFERENCES integrations ON DELETE CASCADE,
    state            text NOT NULL CONSTRAINT credentials_state_check CHECK (state IN ('next', 'active', 'retiring', 'wiped')),
    method           text NOT NULL DEFAULT '',
    sealed           bytea, -- bound to the integration; NULL when wiped
    created_at       timestamptz NOT NULL DEFAULT now(),
    created_by       uuid REFERENCES users,
    switch_at        timestamptz, -- when the next set takes over
    expires_at       timestamptz, -- as the administrator or the certificate says
    replaced_at      timestamptz,
    wiped_at         timestamptz,
    refused_at       timestamptz, -- set only while another set is tried instead
    refused_key      text NOT NULL DEFAULT '',
    refused_status   integer NOT NULL DEFAULT 0,
    refused_error_id text NOT NULL DEFAULT '',
    CONSTRAINT credentials_wiped_check CHECK ((state = 'wiped') = (sealed IS NULL)),
    CONSTRAINT credentials_switch_check CHECK (state <> 'next' OR switch_at IS NOT NULL)
);
CREATE INDEX credentials_integration_idx ON credentials (integration_id, created_at DESC);
CREATE UNIQUE INDEX credentials_active_idx ON credentials (integration_id) WHERE state = 'active';
CREATE UNIQUE INDEX credentials_next_idx ON credentials (integration_id) WHERE state = 'next';
INSERT INTO credentials (id, integration_id, state, sealed) SELECT gen_random_uuid(), id, 'active', credentials FROM integrations;
ALTER TABLE integrations DROP COLUMN credentials;

ALTER TABLE integrations ADD COLUMN environment text NOT NULL DEFAULT '' -- of the service when it was chosen; another one is refused
    CONSTRAINT integrations_environment_check CHECK (environment IN ('', 'test', 'production'));
ALTER TABLE integrations ADD COLUMN version integer NOT NULL DEFAULT 1; -- two administrators must not overwrite each other
ALTER TABLE integrations ADD COLUMN tried_at timestamptz; -- last trial by an administrator, and the step that failed
ALTER TABLE integrations ADD COLUMN tried_failed text NOT NULL DEFAULT '';

ALTER TABLE accounts ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE accounts ADD COLUMN disabled_at timestamptz;
ALTER TABLE accounts ADD COLUMN organization_number text NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN billing_code text NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN print_single_sided boolean NOT NULL DEFAULT false;
ALTER TABLE accounts ADD COLUMN print_color boolean NOT NULL DEFAULT false;

-- A shipment with an id at one generation of the service stays there when its account moves to another.
ALTER TABLE items ADD COLUMN pinned_integration_id uuid REFERENCES integrations;
UPDATE items it SET pinned_integration_id = a.shipment_integration_id FROM accounts a WHERE a.id = it.account_id AND it.reserved_id IS NOT NULL;
CREATE INDEX items_pinned_idx ON items (account_id, pinned_integration_id) WHERE state = 'queued' AND pinned_integration_id IS NOT NULL;

-- Look-ups of lost letters ask which ids are ours.
CREATE INDEX items_upstream_idx ON items (upstream_id) WHERE upstream_id IS NOT NULL;

-- Whether an id is reserved before anything is sent: an attempt that died without one has surely sent nothing.
ALTER TABLE attempts ADD COLUMN reserves boolean NOT NULL DEFAULT false;

-- Where only the reference finds a lost shipment again, two with the same one are never under way together.
ALTER TABLE shipments ADD COLUMN reference_in_flight text;
CREATE UNIQUE INDEX shipments_reference_in_flight_idx ON shipments (account_id, reference_in_flight) WHERE reference_in_flight IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION release_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shipments SET reference_in_flight = NULL WHERE item_id = NEW.id AND reference_in_flight IS NOT NULL;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_release_reference AFTER UPDATE OF state ON items FOR EACH ROW
    WHEN (NEW.kind = 'shipment' AND OLD.state IN ('sending', 'uncertain') AND NEW.state NOT IN ('sending', 'uncertain'))
    EXECUTE FUNCTION release_reference();
