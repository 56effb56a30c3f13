-- +goose Up
-- Approval of a new or changed template, with the same rows as drafts. seen is the version to approve. Until then the version
-- before is used; a new template has version 0, and is not used at all.
ALTER TABLE approvals
    ADD COLUMN template_id uuid,
    ADD CONSTRAINT approvals_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id),
    DROP CONSTRAINT approvals_of_check,
    ADD CONSTRAINT approvals_of_check CHECK (num_nonnulls(item_id, job_id, template_id) = 1);
CREATE UNIQUE INDEX approvals_version_key ON approvals (template_id, seen) WHERE template_id IS NOT NULL;
CREATE UNIQUE INDEX approvals_template_key ON approvals (template_id) WHERE state = 'waiting';
