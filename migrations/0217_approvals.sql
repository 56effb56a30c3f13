-- +goose Up
-- Approval by a colleague: pending requests, and decisions.

-- When an account demands approval, as one value: no query searches a part of it.
ALTER TABLE accounts ADD COLUMN approval_rule jsonb NOT NULL DEFAULT '{}';

-- What is sent from the template needs approval.
ALTER TABLE templates ADD COLUMN needs_approval boolean NOT NULL DEFAULT false;

ALTER TABLE role_mappings DROP CONSTRAINT role_mappings_role_check;
ALTER TABLE role_mappings ADD CONSTRAINT role_mappings_role_check
    CHECK (role IN ('caseworker', 'team_lead', 'approver', 'account_admin', 'system_admin', 'auditor'));

-- A request to approve a draft of an SMS, a shipment or a job. While it is pending, the draft cannot be changed. One row per
-- request; triggers enforce the rules.
CREATE TABLE approvals (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    item_id    uuid REFERENCES items ON DELETE CASCADE,
    job_id     uuid REFERENCES jobs ON DELETE CASCADE,
    seen       text NOT NULL, -- revision of the draft when approval was requested
    recipients integer NOT NULL,
    reasons    text[] NOT NULL, -- dispatch.ApprovalReason at that time
    state      text NOT NULL DEFAULT 'waiting'
        CONSTRAINT approvals_state_check CHECK (state IN ('waiting', 'approved', 'returned', 'withdrawn')),
    asked_by   uuid NOT NULL REFERENCES users,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    decided_by uuid REFERENCES users,
    decided_at timestamptz,
    note       bytea, -- sealed, bound to the approval: what the sender must change
    CONSTRAINT approvals_of_check CHECK ((item_id IS NULL) <> (job_id IS NULL)),
    CONSTRAINT approvals_decided_check CHECK ((state = 'waiting') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
    CONSTRAINT approvals_own_check CHECK (state NOT IN ('approved', 'returned') OR decided_by <> asked_by)
);
CREATE INDEX approvals_waiting_idx ON approvals (account_id, asked_at, id) WHERE state = 'waiting';
CREATE INDEX approvals_item_idx ON approvals (item_id, asked_at DESC) WHERE item_id IS NOT NULL;
CREATE INDEX approvals_job_idx ON approvals (job_id, asked_at DESC) WHERE job_id IS NOT NULL;
CREATE UNIQUE INDEX approvals_item_key ON approvals (item_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX approvals_job_key ON approvals (job_id) WHERE state = 'waiting';
