-- +goose Up
-- What an account's shipments cost in a month. Triggers add a row for each change, and fold many into one; the total is the sum. The
-- budget is read at each review and each sending: reading all shipments of the month took too long.
CREATE TABLE shipment_usage (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    month      date NOT NULL,
    ore        bigint NOT NULL
);
CREATE INDEX shipment_usage_month_idx ON shipment_usage (account_id, month) INCLUDE (ore);
DROP INDEX shipments_cost_idx;
