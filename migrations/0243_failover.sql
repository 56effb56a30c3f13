-- +goose Up
-- After a failover, the processes that survived tell whether the standby that was promoted lacks anything.
ALTER TABLE workers
    ADD COLUMN beat    bigint NOT NULL DEFAULT 0, -- number of the last heartbeat while the guard held
    ADD COLUMN vouches text NOT NULL DEFAULT '';  -- the timeline that it knows to be complete; empty: none
ALTER TABLE delivery_guard ADD COLUMN promoted_at timestamptz; -- when a newer timeline was first seen; NULL: the guard holds
