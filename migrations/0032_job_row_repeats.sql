-- +goose Up
-- Which rows of a fast job share their phone number with an earlier one is marked when it is sent. The index that told it
-- took most of the time of storing a list.
ALTER TABLE job_rows ADD COLUMN repeats boolean NOT NULL DEFAULT false;
UPDATE job_rows r SET repeats = true
FROM jobs j
WHERE j.id = r.job_id AND j.mode = 'fast' AND j.sent_at IS NOT NULL AND j.made_at IS NULL AND r.problem = ''
  AND EXISTS (SELECT FROM job_rows o WHERE o.job_id = r.job_id AND o.phone_hash = r.phone_hash AND o.position < r.position AND o.problem = '');
DROP INDEX job_rows_phone_idx;
