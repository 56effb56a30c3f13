-- +goose Up
-- What a user has typed in the form of an SMS and not handed in: a new one, or changes of a draft. It is saved as it is typed,
-- with its faults. Drafts of shipments need none of this: they are saved as they are.
CREATE TABLE unfinished_forms (
    account_id uuid NOT NULL REFERENCES accounts,
    user_id    uuid NOT NULL REFERENCES users,
    id         uuid NOT NULL, -- the key of a new form, or the id of the draft that it changes
    item_id    uuid REFERENCES items ON DELETE CASCADE, -- the draft of an SMS that it changes
    job_id     uuid REFERENCES jobs ON DELETE CASCADE, -- or of an SMS to many; both NULL: a new SMS
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
