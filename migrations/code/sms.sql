-- SMS and jobs.

-- Segments of an SMS that was certainly not sent are subtracted. One that may have been sent stays counted: it was dropped, or it ended
-- after a person had it sent again without proof. In SQL: the state changes in many places, and one that forgot would use up the
-- account's quota.
CREATE FUNCTION release_sms_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM attempts p WHERE p.item_id = NEW.id AND p.outcome = 'uncertain' AND p.resolution = 'not_sent' AND p.resolved_by IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO sms_usage (account_id, month, parts)
    SELECT account_id, counted_month, -parts FROM sms WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    UPDATE sms SET counted_month = NULL WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER items_release_sms_parts AFTER UPDATE OF state ON items FOR EACH ROW
    WHEN (NEW.kind = 'sms' AND OLD.state <> NEW.state
          AND (NEW.state IN ('rejected', 'failed') OR NEW.state = 'cancelled' AND (OLD.state = 'queued' OR NEW.stop_asked_at IS NOT NULL)))
    EXECUTE FUNCTION release_sms_parts();

-- Increments the revision of a draft with every change except sealing anew. In SQL: a statement that forgot would let an unreviewed
-- change be sent.
CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('utsending.resealing', true) IS DISTINCT FROM 'on' THEN
        NEW.revision := OLD.revision + 1;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER sms_revision BEFORE UPDATE ON sms FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE TRIGGER jobs_revision BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION count_revision();

-- Notes when a draft of a job was changed, except by sealing anew. In SQL: one that a statement forgot would be purged too early.
CREATE FUNCTION note_job_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('utsending.resealing', true) IS DISTINCT FROM 'on' THEN
        NEW.changed_at := now();
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jobs_changed BEFORE UPDATE ON jobs FOR EACH ROW
    WHEN (OLD.state = 'draft' AND NEW.changed_at = OLD.changed_at) EXECUTE FUNCTION note_job_change();

-- In SQL: jobs are deleted in several places, and a foreign key would be checked for each of fifty thousand rows.
CREATE FUNCTION drop_job_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM job_rows WHERE job_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER jobs_rows_go AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION drop_job_rows();
