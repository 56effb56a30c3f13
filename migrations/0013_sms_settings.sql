-- +goose Up
-- What an account says about its SMS, when each is to go, and what has been used this month.
ALTER TABLE accounts ADD COLUMN watch_words text NOT NULL DEFAULT ''; -- one a line
ALTER TABLE accounts ADD COLUMN daytime_from integer NOT NULL DEFAULT 0; -- minutes of the day in Oslo; both 0: the whole day
ALTER TABLE accounts ADD COLUMN daytime_to integer NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD CONSTRAINT accounts_daytime_check
    CHECK (daytime_from = 0 AND daytime_to = 0 OR daytime_from >= 0 AND daytime_from < daytime_to AND daytime_to <= 1440);
ALTER TABLE accounts ADD COLUMN sms_limit integer NOT NULL DEFAULT 0 -- parts a month; 0: none
    CONSTRAINT accounts_sms_limit_check CHECK (sms_limit >= 0);

ALTER TABLE sms ADD COLUMN send_at timestamptz; -- NULL: when it is sent
ALTER TABLE sms ADD COLUMN urgent boolean NOT NULL DEFAULT false;
ALTER TABLE sms ADD COLUMN counted_month date; -- where its parts are counted; NULL: nowhere

-- Parts that were queued and not stopped, by account and month in Oslo: the sum of the rows. Counting puts the rows that
-- nobody else holds together, so that there are few; taking back only adds one, so that stopping 50 000 SMS in one
-- transaction does not write one row 50 000 times.
CREATE TABLE sms_usage (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    month      date NOT NULL,
    parts      bigint NOT NULL
);
CREATE INDEX sms_usage_month_idx ON sms_usage (account_id, month) INCLUDE (parts);

-- An SMS that was surely not sent is not counted. The state changes in many places, and one forgotten would use up the
-- account's month. One that is dropped while nobody knows whether it was sent stays counted.
-- +goose StatementBegin
CREATE FUNCTION release_sms_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sms_usage (account_id, month, parts)
    SELECT account_id, counted_month, -parts FROM sms WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    UPDATE sms SET counted_month = NULL WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_release_sms_parts AFTER UPDATE OF state ON items FOR EACH ROW
    WHEN (NEW.kind = 'sms' AND OLD.state <> NEW.state
          AND (NEW.state IN ('rejected', 'failed') OR NEW.state = 'cancelled' AND OLD.state = 'queued'))
    EXECUTE FUNCTION release_sms_parts();
