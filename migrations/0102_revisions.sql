-- +goose Up
-- Which state of a draft somebody has looked at: counted up by every change but the sealing of its values with a new key.
ALTER TABLE sms ADD COLUMN revision integer NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN revision integer NOT NULL DEFAULT 0;

-- +goose StatementBegin
CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('utsending.resealing', true) IS DISTINCT FROM 'on' THEN
        NEW.revision := OLD.revision + 1;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE TRIGGER sms_revision BEFORE UPDATE ON sms FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE TRIGGER jobs_revision BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION count_revision();
