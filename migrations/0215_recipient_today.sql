-- +goose Up
-- Asking what the recipient of a draft was sent earlier the same day counts as a search for a number.
DROP INDEX audit_events_number_search_account_idx;
DROP INDEX audit_events_number_search_idx;
CREATE INDEX audit_events_number_search_account_idx ON audit_events (account_id, at) WHERE action IN ('list.search', 'recipient.today');
CREATE INDEX audit_events_number_search_idx ON audit_events (actor_id, at) WHERE action IN ('list.search', 'citizen.report', 'recipient.today');
