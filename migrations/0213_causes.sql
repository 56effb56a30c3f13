-- +goose Up
-- Why a caseworker must act on an item: migrate fills it from dispatch.Causes, and follow_up_of reads it.
CREATE TABLE causes (
    cause text PRIMARY KEY,
    place integer NOT NULL, -- in the order in which people are told of them
    stays boolean NOT NULL  -- also when another item that replaces the item has been sent
);
