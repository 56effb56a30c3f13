-- +goose Up
ALTER TABLE items DROP CONSTRAINT items_kind_check;
ALTER TABLE items ADD CONSTRAINT items_kind_check CHECK (kind IN ('sms', 'shipment'));

-- A letter. Names, titles and references stand in clear so that lists can search them; the rest is sealed.
CREATE TABLE shipments (
    item_id            uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id         uuid NOT NULL REFERENCES accounts,
    version            integer NOT NULL DEFAULT 1, -- of the draft: two tabs must not overwrite each other
    title              text NOT NULL DEFAULT '',
    recipient_name     text NOT NULL DEFAULT '',
    source_system      text NOT NULL DEFAULT '',
    billing_code       text NOT NULL DEFAULT '',
    external_reference text NOT NULL DEFAULT '',
    digital_only       boolean NOT NULL DEFAULT false,
    number_hash        bytea, -- keyed hash of the recipient's national id or organisation number
    form               bytea NOT NULL, -- sealed, bound to the item: the draft as typed
    content            bytea,          -- sealed, bound to the item: what was sent
    sign_by            timestamptz     -- deadline for signing; NULL when nothing is to be signed
);
CREATE INDEX shipments_number_idx ON shipments (account_id, number_hash) WHERE number_hash IS NOT NULL;

CREATE TABLE documents (
    id                 uuid PRIMARY KEY,
    item_id            uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id         uuid NOT NULL REFERENCES accounts,
    position           integer NOT NULL,
    file_name          text NOT NULL,
    mime_type          text NOT NULL DEFAULT '',
    size               bigint NOT NULL DEFAULT 0,
    sha256             text NOT NULL DEFAULT '',
    pages              integer NOT NULL DEFAULT 0,
    found              text NOT NULL DEFAULT '',
    complete           boolean NOT NULL DEFAULT false, -- false while it is being uploaded
    created_at         timestamptz NOT NULL DEFAULT now(),
    giro_pages         integer[] NOT NULL DEFAULT '{}',
    exclude_from_print boolean NOT NULL DEFAULT false,
    sensitive          boolean NOT NULL DEFAULT false,
    document_type      text NOT NULL DEFAULT ''
);
CREATE INDEX documents_item_idx ON documents (item_id, position);
CREATE UNIQUE INDEX documents_name_idx ON documents (item_id, lower(file_name)) WHERE complete;
CREATE INDEX documents_incomplete_idx ON documents (created_at) WHERE NOT complete;

-- Files in sealed pieces of 1 MiB, each bound to its document and position.
CREATE TABLE document_chunks (
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    position    integer NOT NULL,
    data        bytea NOT NULL,
    PRIMARY KEY (document_id, position)
);
ALTER TABLE document_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- Recovery of shipments whose fate is not known: the id that was reserved before the call, and when to look it up.
ALTER TABLE items ADD COLUMN reserved_id uuid;
ALTER TABLE items ADD COLUMN recover_at timestamptz;   -- next look-up; NULL: none is planned
ALTER TABLE items ADD COLUMN window_ends_at timestamptz; -- before this, "not there" proves nothing
CREATE INDEX items_recover_idx ON items (recover_at) WHERE recover_at IS NOT NULL;
ALTER TABLE attempts ADD COLUMN reserved_id uuid;
ALTER TABLE attempts ADD COLUMN sent_at timestamptz; -- when the last byte was let go

ALTER TABLE integrations ADD COLUMN wire text NOT NULL DEFAULT 'spec' CONSTRAINT integrations_wire_check CHECK (wire IN ('spec', 'deployed'));
ALTER TABLE integrations ADD COLUMN reserve_ids boolean NOT NULL DEFAULT true; -- startNyForsendelse before each submission

ALTER TABLE shipments ADD COLUMN signing_status text NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN signing_at timestamptz;

-- What the service told of a shipment beside its status, with eleven-digit runs masked.
CREATE TABLE service_reports (
    item_id      uuid NOT NULL REFERENCES items ON DELETE CASCADE,
    account_id   uuid NOT NULL REFERENCES accounts,
    source       text NOT NULL CONSTRAINT service_reports_source_check CHECK (source IN ('history', 'signing', 'documents')),
    report       bytea, -- sealed, bound to the item and the source
    read_at      timestamptz,
    error_key    text NOT NULL DEFAULT '',
    error_status integer NOT NULL DEFAULT 0,
    error_id     text NOT NULL DEFAULT '',
    error_at     timestamptz,
    PRIMARY KEY (item_id, source)
);
