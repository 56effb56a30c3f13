-- +goose Up
-- Causes of follow-ups, in order of priority. Migrate fills the table from dispatch.Causes, and follow_up_of reads it.
CREATE TABLE causes (
    cause text PRIMARY KEY,
    place integer NOT NULL, -- priority
    stays boolean NOT NULL  -- applies although a replacement was sent
);
