-- +goose Up
-- Rows are only written while their job is locked. Checking each of fifty thousand for it took most of their time; rows
-- still go with their job.
ALTER TABLE job_rows DROP CONSTRAINT job_rows_job_id_fkey;
-- +goose StatementBegin
CREATE FUNCTION drop_job_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM job_rows WHERE job_id = OLD.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER jobs_rows_go AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION drop_job_rows();
