-- +goose Up
-- What an account fills in in its shipments: where replies go, and its archive records. One value, since nothing looks for
-- a part of it. The address is the account's own and stands in clear, as its name does.
ALTER TABLE accounts ADD COLUMN shipment_defaults jsonb NOT NULL DEFAULT '{}';
