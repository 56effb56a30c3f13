-- +goose Up
-- The content of SMS, and the segments that an account has used.

-- Purged columns are NULL.
CREATE TABLE sms (
    item_id          uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id       uuid NOT NULL REFERENCES accounts,
    by_phone         boolean NOT NULL,
    recipient        bytea, -- sealed, bound to the item
    recipient_hash   bytea NOT NULL, -- keyed hash of the national id, or of the phone number in its comparable form
    last_three_hash  bytea, -- keyed hash of a phone number's last three digits
    text             bytea, -- sealed, bound to the item
    hide_in_report   boolean NOT NULL,
    encoding         text NOT NULL CONSTRAINT sms_encoding_check CHECK (encoding IN ('GSM-7', 'UCS-2')),
    parts            integer NOT NULL,
    template_id      uuid,
    template_version integer,
    template_form    text NOT NULL DEFAULT '',
    send_at          timestamptz, -- NULL: when it is sent
    urgent           boolean NOT NULL DEFAULT false,
    counted_month    date, -- month in which its segments are counted; NULL: none
    created_at       timestamptz NOT NULL DEFAULT now(), -- the item's, for lists by template
    revision         integer NOT NULL DEFAULT 0, -- incremented by every change of the draft, but not by sealing anew
    CONSTRAINT sms_template_check CHECK (
        (template_id IS NULL) = (template_version IS NULL) AND (template_id IS NULL) = (template_form = '') AND template_form IN ('', 'nb', 'nn')),
    CONSTRAINT sms_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions
);
CREATE INDEX sms_last_three_idx ON sms (account_id, last_three_hash);
CREATE INDEX sms_recipient_idx ON sms (account_id, recipient_hash);
CREATE INDEX sms_template_list_idx ON sms (account_id, template_id, created_at DESC, item_id DESC) WHERE template_id IS NOT NULL;

-- Used segments by account and month in Oslo: the sum of the rows. Counting folds rows that are not locked; subtracting only adds a
-- row, so that stopping 50,000 SMS does not update one row 50,000 times.
CREATE TABLE sms_usage (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    month      date NOT NULL,
    parts      bigint NOT NULL
);
CREATE INDEX sms_usage_month_idx ON sms_usage (account_id, month) INCLUDE (parts);
