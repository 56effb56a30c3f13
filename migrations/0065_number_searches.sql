-- +goose Up
-- Which searches and reports asked for a number stands in looked_up beside which look-ups did. How many different numbers a
-- person has asked for is counted by the lines of the log that they belong to.
CREATE INDEX looked_up_event_idx ON looked_up (event_id);
CREATE INDEX audit_events_number_search_idx ON audit_events (actor_id, at) WHERE action IN ('list.search', 'citizen.report');
CREATE INDEX audit_events_number_search_account_idx ON audit_events (account_id, at) WHERE action = 'list.search';
-- Of each person only the newest searches are kept.
CREATE INDEX searches_user_idx ON searches (user_id, expires_at DESC, id);
