-- +goose Up
-- A new or changed template that waits for approval, by the mechanism of drafts. Its content is the version that seen names: until
-- it is approved the version before is used, and a new template, whose version is 0, is not used at all.
ALTER TABLE approvals
    ADD COLUMN template_id uuid,
    ADD CONSTRAINT approvals_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates (account_id, id),
    DROP CONSTRAINT approvals_of_check,
    ADD CONSTRAINT approvals_of_check CHECK (num_nonnulls(item_id, job_id, template_id) = 1);
CREATE UNIQUE INDEX approvals_version_key ON approvals (template_id, seen) WHERE template_id IS NOT NULL;
CREATE UNIQUE INDEX approvals_template_key ON approvals (template_id) WHERE state = 'waiting';
