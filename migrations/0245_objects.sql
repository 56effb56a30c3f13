-- +goose Up
-- A chunk may lie in object storage: the row then names the object, and data is empty.
ALTER TABLE document_chunks
    ADD COLUMN object      text,  -- key of the object, never used twice
    ADD COLUMN object_seal bytea, -- the first five bytes of the object: the key that sealed it
    ADD CONSTRAINT document_chunks_object_check CHECK (object IS NULL OR data = '' AND object_seal IS NOT NULL);
CREATE UNIQUE INDEX document_chunks_object_idx ON document_chunks (object) WHERE object IS NOT NULL;

-- Objects that no row names, until they are removed: a backup of the database from before may still name them.
CREATE TABLE stray_objects (
    object     text PRIMARY KEY,
    noticed_at timestamptz NOT NULL DEFAULT now()
);
