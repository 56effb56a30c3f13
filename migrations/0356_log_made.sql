-- +goose Up
-- The event log is asked for what an act made, and for the draft that a job was before it was sent.
CREATE INDEX audit_events_made_idx ON audit_events USING hash ((details ->> 'made')) WHERE details ->> 'made' IS NOT NULL;
CREATE INDEX audit_events_draft_idx ON audit_events USING hash ((details ->> 'draft')) WHERE details ->> 'draft' IS NOT NULL;
