-- +goose Up
CREATE TABLE sms (
    item_id         uuid PRIMARY KEY REFERENCES items ON DELETE CASCADE,
    account_id      uuid NOT NULL REFERENCES accounts,
    by_phone        boolean NOT NULL,
    recipient       bytea NOT NULL, -- sealed, bound to the item
    recipient_hash  bytea NOT NULL, -- keyed hash of the national id, or of the phone number in its comparable form
    last_three_hash bytea,          -- keyed hash of a phone number's last three digits
    text            bytea NOT NULL, -- sealed, bound to the item
    hide_in_report  boolean NOT NULL,
    encoding        text NOT NULL CONSTRAINT sms_encoding_check CHECK (encoding IN ('GSM-7', 'UCS-2')),
    parts           integer NOT NULL
);
CREATE INDEX sms_recipient_idx ON sms (account_id, recipient_hash);
CREATE INDEX sms_last_three_idx ON sms (account_id, last_three_hash);
