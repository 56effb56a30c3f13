-- +goose Up
-- How long a due item is tried or held back before a person is asked: dispatch.MaxWait, which a test holds this against.
-- +goose StatementBegin
CREATE FUNCTION max_wait() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT interval '24 hours' $$;
-- +goose StatementEnd

-- The functions that wrote it out ask for it: follow_up_of and troubled (0028), item_changed (0045).
-- +goose StatementBegin
DO $$
DECLARE
    f regproc;
BEGIN
    FOREACH f IN ARRAY ARRAY['follow_up_of', 'troubled', 'item_changed']::regproc[] LOOP
        EXECUTE replace(pg_get_functiondef(f), 'interval ''24 hours''', 'max_wait()');
    END LOOP;
END $$;
-- +goose StatementEnd
