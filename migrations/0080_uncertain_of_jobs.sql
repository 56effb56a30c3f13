-- +goose Up
-- A list of jobs asks of each whether something of it is uncertain.
CREATE INDEX items_job_uncertain_idx ON items (job_id) WHERE state = 'uncertain';
