-- +goose Up
-- How slices of a divided file are matched with rows: in order, or by the address on their first page.
ALTER TABLE jobs
    ADD COLUMN split_by text NOT NULL DEFAULT 'pages' CONSTRAINT jobs_split_by_check CHECK (split_by IN ('pages', 'mark', 'address')),
    ADD COLUMN split_mark text NOT NULL DEFAULT '', -- text on the first page of each slice
    ADD COLUMN split_left jsonb NOT NULL DEFAULT '[]'; -- unassigned pages, and why
