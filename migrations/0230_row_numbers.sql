-- +goose Up
-- The number that a row's shipment goes to, hashed as that of a shipment is: recipient_hash is of its address too. NULL: it has none,
-- or the row is of an earlier release, or of SMS, whose recipient_hash it is.
ALTER TABLE job_rows ADD COLUMN number_hash bytea;
