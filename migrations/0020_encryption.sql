-- +goose Up
-- The service's certificate, which is public, and how the key of a file is encrypted for it.
ALTER TABLE integrations
    ADD COLUMN certificate text NOT NULL DEFAULT '', -- PEM; '': files cannot be encrypted
    ADD COLUMN key_transport text NOT NULL DEFAULT 'oaep' CHECK (key_transport IN ('oaep', 'pkcs1')),
    ADD COLUMN certificate_expires_at timestamptz;
