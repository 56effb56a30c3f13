-- +goose Up
ALTER TABLE shipments ADD COLUMN send_at timestamptz; -- NULL: when it is sent
