-- +goose Up
-- References of shipments by an account's pattern, with a number that starts anew each year.
ALTER TABLE accounts
    ADD COLUMN reference_pattern text NOT NULL DEFAULT '', -- empty: none are generated
    ADD COLUMN reference_unit text NOT NULL DEFAULT '',
    ADD COLUMN reference_fill boolean NOT NULL DEFAULT false; -- a shipment without a reference gets one when it is sent

CREATE TABLE reference_numbers (
    account_id uuid NOT NULL REFERENCES accounts,
    year       integer NOT NULL, -- in Oslo
    last       bigint NOT NULL, -- last number taken
    CONSTRAINT reference_numbers_pkey PRIMARY KEY (account_id, year)
);
