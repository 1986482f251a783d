-- A lane claims some kinds of jobs and passes over the others, of which there may be thousands that wait.
DROP INDEX jobs_due;
CREATE INDEX jobs_free ON jobs (kind, run_at, seq) WHERE error IS NULL AND lease_until = 0;
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE error IS NULL AND lease_until > 0;
