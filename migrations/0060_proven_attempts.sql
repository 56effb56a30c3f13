-- +goose Up
-- Whether what a call came to is proof that it brought nothing over. Releases before this one took the word of machines on the
-- way for proof: what they wrote, and write while both run, stays in doubt where the call had gone out whole.
ALTER TABLE attempts ADD COLUMN proven boolean NOT NULL DEFAULT false;
