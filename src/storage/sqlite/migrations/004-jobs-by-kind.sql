-- A pool claims only some kinds of jobs. These indexes skip the other kinds, of which thousands may be waiting.
DROP INDEX jobs_due;
CREATE INDEX jobs_free ON jobs (kind, run_at, seq) WHERE error IS NULL AND lease_until = 0;
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE error IS NULL AND lease_until > 0;
