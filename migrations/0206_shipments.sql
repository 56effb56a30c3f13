-- +goose Up
-- The content of shipments: metadata and files.

-- Trigram search within an account. pg_trgm is a trusted extension, which the owner of the database can create.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Names, titles and references are plaintext so that lists can search them; the rest is sealed. The content of a purged shipment is
-- empty, that of a draft NULL.
CREATE TABLE shipments (
    item_id            uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id         uuid NOT NULL REFERENCES accounts,
    version            integer NOT NULL DEFAULT 1, -- of the draft: optimistic locking
    title              text NOT NULL DEFAULT '',
    recipient_name     text NOT NULL DEFAULT '',
    source_system      text NOT NULL DEFAULT '',
    billing_code       text NOT NULL DEFAULT '',
    external_reference text NOT NULL DEFAULT '',
    digital_only       boolean NOT NULL DEFAULT false,
    number_hash        bytea, -- keyed hash of the recipient's national id or organisation number
    form               bytea NOT NULL, -- sealed, bound to the item: the draft as typed
    content            bytea, -- sealed, bound to the item: what was sent
    sign_by            timestamptz, -- deadline for signing; NULL when nothing is to be signed
    signing_status     text NOT NULL DEFAULT '',
    signing_at         timestamptz,
    send_at            timestamptz, -- NULL: when it is sent
    fault              bytea, -- sealed, bound to the item: the service's error; NULL: none
    copy_of            uuid REFERENCES items ON DELETE SET NULL, -- the item that the draft was copied from
    handed_by          uuid REFERENCES users, -- colleague who handed the draft over; NULL: nobody
    handed_at          timestamptz,
    handed_version     integer, -- of the draft when it was handed over: it may be taken back until the version changes
    service_status_at  timestamptz, -- when the status changed, by the service's clock
    deleted_documents  text NOT NULL DEFAULT '' -- files deleted at the service
        CONSTRAINT shipments_deleted_documents_check CHECK (deleted_documents IN ('', 'originals', 'all')),
    template_id        uuid,
    template_version   integer,
    created_at         timestamptz NOT NULL DEFAULT now(), -- the item's, by which lists are ordered
    shipment_type      text NOT NULL DEFAULT '',
    words              text NOT NULL DEFAULT '', -- search terms; '': a draft
    changed_at         timestamptz NOT NULL DEFAULT now(), -- last change of the draft
    correlation_id     text NOT NULL DEFAULT '',
    CONSTRAINT shipments_handed_check CHECK (
        (handed_by IS NULL) = (handed_at IS NULL) AND (handed_by IS NULL) = (handed_version IS NULL)),
    CONSTRAINT shipments_template_check CHECK ((template_id IS NULL) = (template_version IS NULL)),
    CONSTRAINT shipments_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions
);
CREATE INDEX shipments_billing_idx ON shipments (account_id, billing_code, created_at DESC, item_id DESC) WHERE billing_code <> '';
CREATE INDEX shipments_copy_idx ON shipments (copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX shipments_correlation_idx ON shipments (account_id, correlation_id) WHERE correlation_id <> '';
CREATE INDEX shipments_deadline_idx ON shipments (signing_status, sign_by) WHERE sign_by IS NOT NULL;
CREATE INDEX shipments_handed_idx ON shipments (account_id, handed_by) WHERE handed_by IS NOT NULL;
CREATE INDEX shipments_list_idx ON shipments (account_id, created_at DESC, item_id DESC) WHERE words <> '';
CREATE INDEX shipments_number_idx ON shipments (account_id, number_hash) WHERE number_hash IS NOT NULL;
CREATE INDEX shipments_reference_idx ON shipments (account_id, external_reference) WHERE external_reference <> '';
CREATE INDEX shipments_signing_idx ON shipments (account_id, signing_status, created_at DESC, item_id DESC) WHERE sign_by IS NOT NULL;
CREATE INDEX shipments_template_idx ON shipments (account_id, template_id) WHERE template_id IS NOT NULL;
CREATE INDEX shipments_type_idx ON shipments (account_id, shipment_type, created_at DESC, item_id DESC) WHERE shipment_type <> '';
CREATE INDEX shipments_words_idx ON shipments USING gin (account_id, words gin_trgm_ops) WITH (gin_pending_list_limit = 1024)
    WHERE words <> '';

-- The service's reports on a shipment beside its status, with national identity numbers masked.
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
    CONSTRAINT service_reports_pkey PRIMARY KEY (item_id, source)
);

-- A file belongs to a shipment, or to a job whose shipments share it. A slice of a divided file belongs to the job until its
-- shipment is made.
CREATE TABLE documents (
    id                 uuid PRIMARY KEY,
    item_id            uuid REFERENCES items ON DELETE CASCADE,
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
    document_type      text NOT NULL DEFAULT '',
    reading            bytea, -- sealed, bound to the document; NULL: nothing was read
    job_id             uuid,
    part               integer NOT NULL DEFAULT 0, -- number of the slice, from 1; 0: a whole file
    alive_at           timestamptz NOT NULL DEFAULT now(), -- heartbeat of an upload: without one for half an hour, it is dead
    renamed_from       text NOT NULL DEFAULT '', -- original name, if it had to be corrected; empty: it was not
    CONSTRAINT documents_owner_check CHECK ((item_id IS NULL) <> (job_id IS NULL))
);
CREATE INDEX documents_incomplete_idx ON documents (created_at) WHERE NOT complete;
CREATE INDEX documents_item_idx ON documents (item_id, position);
CREATE INDEX documents_job_idx ON documents (job_id, part) WHERE job_id IS NOT NULL;
CREATE UNIQUE INDEX documents_name_idx ON documents (item_id, lower(file_name)) WHERE complete;

-- Files in sealed chunks of 1 MiB, each bound to its document and position.
CREATE TABLE document_chunks (
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    position    integer NOT NULL,
    data        bytea NOT NULL,
    CONSTRAINT document_chunks_pkey PRIMARY KEY (document_id, "position")
);
ALTER TABLE document_chunks ALTER COLUMN data SET STORAGE EXTERNAL;
