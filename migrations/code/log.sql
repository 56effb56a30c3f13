-- The event log.

-- The only way in which the server writes the event log. The time is the database's, and the actor must be the session's user,
-- otherwise the line is refused. Without a session (the program itself, or an operator at a terminal) the line has no login.
CREATE FUNCTION write_audit(session text, actor uuid, account uuid, act text, object uuid, more jsonb, came_from text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    login uuid;
    person uuid := actor;
    line bigint;
BEGIN
    IF session <> '' THEN
        -- What was begun before a session ended is still written down.
        SELECT s.id, s.user_id INTO login, person FROM public.sign_ins s
        WHERE s.session_hash = session AND (s.ended_at IS NULL OR s.ended_at > now() - interval '1 hour')
        ORDER BY s.started_at DESC LIMIT 1;
        IF login IS NULL OR person <> actor THEN
            RAISE EXCEPTION 'the session is not that person''s' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    INSERT INTO public.audit_events (actor_id, account_id, action, object_id, details, origin, actor_name, account_name, sign_in_id)
    VALUES (person, account, act, object, more, came_from, coalesce((SELECT u.name FROM public.users u WHERE u.id = person), ''),
            coalesce((SELECT a.name FROM public.accounts a WHERE a.id = account), ''), login)
    RETURNING id INTO line;
    RETURN line;
END $$;
REVOKE ALL ON FUNCTION write_audit(text, uuid, uuid, text, uuid, jsonb, text) FROM PUBLIC;
