-- Notes when an alarm's condition ends. In SQL: conditions end in several statements, of people and of deliveries, while the watch
-- looks only now and then.

-- Its arguments are the kind, and the column with the integration that the alarm is about, if there is one.
CREATE FUNCTION alarm_condition_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE alarms SET passed_at = now()
    WHERE key = TG_ARGV[0] || '/' || CASE WHEN TG_NARGS > 1 THEN to_jsonb(NEW) ->> TG_ARGV[1] ELSE '' END || '/' AND ended_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER pause_ended AFTER UPDATE ON delivery_guard FOR EACH ROW
    WHEN (OLD.paused_at IS NOT NULL AND NEW.paused_at IS NULL) EXECUTE FUNCTION alarm_condition_ended('paused');
CREATE TRIGGER stop_ended AFTER UPDATE ON integrations FOR EACH ROW
    WHEN (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL) EXECUTE FUNCTION alarm_condition_ended('stopped', 'id');
CREATE TRIGGER refusal_ended AFTER UPDATE ON integrations FOR EACH ROW
    WHEN (OLD.refused_at IS NOT NULL AND NEW.refused_at IS NULL) EXECUTE FUNCTION alarm_condition_ended('refused', 'id');
CREATE TRIGGER fallback_ended AFTER UPDATE ON credentials FOR EACH ROW
    WHEN (OLD.refused_at IS NOT NULL AND OLD.state = 'active' AND (NEW.refused_at IS NULL OR NEW.state <> 'active')) EXECUTE FUNCTION alarm_condition_ended('fallback', 'integration_id');
