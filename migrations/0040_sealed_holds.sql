-- +goose Up
-- Why something is kept is free text. From now on it stands sealed, bound to the item; what stands in clear from before is
-- read as it is until a server has sealed it, since no statement here has the keys.
ALTER TABLE holds
    ADD COLUMN sealed bytea,
    ALTER COLUMN reason SET DEFAULT '';
COMMENT ON COLUMN holds.reason IS 'of earlier releases, empty when it is sealed';
