-- +goose Up
-- An auditor may be one of the whole system, and not only an administrator.
ALTER TABLE role_mappings DROP CONSTRAINT role_mappings_scope_check;
ALTER TABLE role_mappings ADD CONSTRAINT role_mappings_scope_check CHECK (
    (role <> 'system_admin' OR account_id IS NULL) AND (account_id IS NOT NULL OR role IN ('system_admin', 'auditor')));

-- The log is read newest first: all of it, that of some accounts, of one person, of some acts, or of one thing.
CREATE INDEX audit_events_account_idx ON audit_events (account_id, at DESC, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX audit_events_actor_idx ON audit_events (actor_id, at DESC, id DESC) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_events_action_idx ON audit_events (action, at DESC, id DESC);
