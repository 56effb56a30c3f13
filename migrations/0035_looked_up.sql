-- +goose Up
-- Which look-ups in the register asked for a number: keyed hashes, so that who asks what has been done with a number gets an
-- answer. They go with the event log's time.
CREATE TABLE looked_up (
    number_hash bytea NOT NULL,
    event_id    bigint NOT NULL, -- of the line in the event log; no foreign key: its owner purges that by itself
    at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT looked_up_pkey PRIMARY KEY (number_hash, event_id)
);
CREATE INDEX looked_up_at_idx ON looked_up USING brin (at);
