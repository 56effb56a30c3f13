-- +goose Up
-- What the check of a PDF read in it, and which rules an account holds it against.
ALTER TABLE documents ADD COLUMN reading bytea; -- sealed, bound to the document; NULL: nothing was read
ALTER TABLE accounts ADD COLUMN print_rules jsonb; -- NULL: those of the program
