-- +goose Up
-- Hash of a shipment's recipient number, as in shipments: recipient_hash includes the address. NULL: no number, a row of an earlier
-- release, or a row of SMS, whose recipient_hash is that hash.
ALTER TABLE job_rows ADD COLUMN number_hash bytea;
