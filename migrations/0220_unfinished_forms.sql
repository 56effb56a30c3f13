-- +goose Up
-- Autosaved forms of SMS: a new one, or changes of a draft, as typed and unvalidated. Drafts of shipments do not need it: the draft
-- itself is saved.
CREATE TABLE unfinished_forms (
    account_id uuid NOT NULL REFERENCES accounts,
    user_id    uuid NOT NULL REFERENCES users,
    id         uuid NOT NULL, -- idempotency key of a new form, or id of the draft
    item_id    uuid REFERENCES items ON DELETE CASCADE, -- draft of an SMS
    job_id     uuid REFERENCES jobs ON DELETE CASCADE, -- or draft of a job; both NULL: a new SMS
    seen       text NOT NULL, -- revision of that draft; empty: a new SMS
    fields     bytea NOT NULL, -- sealed, bound to account, user and id
    version    integer NOT NULL DEFAULT 1,
    saved_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, user_id, id),
    CONSTRAINT unfinished_forms_of_check CHECK (item_id IS NULL AND job_id IS NULL AND seen = '' OR seen <> '' AND (item_id = id) IS DISTINCT FROM (job_id = id) AND coalesce(item_id, job_id) = id)
);
CREATE INDEX unfinished_forms_item_idx ON unfinished_forms (item_id) WHERE item_id IS NOT NULL;
CREATE INDEX unfinished_forms_job_idx ON unfinished_forms (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX unfinished_forms_saved_idx ON unfinished_forms (saved_at);
