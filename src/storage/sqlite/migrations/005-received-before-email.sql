-- A received message becomes an email when it is parsed. Until then it is listed in `unparsed`. Both tables share their
-- numbers, so that emails keep the order in which they were accepted.

CREATE TABLE received_anew (
  email_seq  INTEGER PRIMARY KEY,
  mail_from  TEXT NOT NULL,
  recipients TEXT NOT NULL,
  bytes      BLOB NOT NULL
) STRICT;
INSERT INTO received_anew SELECT email_seq, mail_from, recipients, bytes FROM received;
DROP TABLE received;
ALTER TABLE received_anew RENAME TO received;

CREATE TABLE unparsed (
  seq        INTEGER PRIMARY KEY REFERENCES received (email_seq) ON DELETE CASCADE,
  id         TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Messages that an older svc accepted and did not parse. One job parses all of them.
INSERT INTO unparsed SELECT seq, id, created_at FROM emails WHERE indexed = 0;
DELETE FROM recipients WHERE email_seq IN (SELECT seq FROM unparsed);
DELETE FROM emails WHERE seq IN (SELECT seq FROM unparsed);
DELETE FROM jobs WHERE kind = 'email.index';
INSERT INTO jobs (kind, run_at, payload) SELECT 'email.index', max(created_at), '{}' FROM unparsed HAVING count(*) > 0;
ALTER TABLE emails DROP COLUMN indexed;

-- A plain delivery is now an outcome like all others and rarely needs a job.
UPDATE jobs SET kind = 'email.outcome', payload = json_set(payload, '$.steps', json('[{"name":"deliver","afterMs":0}]'))
WHERE kind = 'email.deliver';
