-- Failures to inject. Exactly one of smtp, http and webhook is set.
CREATE TABLE faults (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  smtp           TEXT,
  http           TEXT,
  webhook        TEXT,
  code           INTEGER,
  text           TEXT,
  error          TEXT,
  delay_ms       INTEGER,
  dropped        TEXT,
  truncates      INTEGER NOT NULL,
  retry_after_ms INTEGER,
  greylist_ms    INTEGER,
  times          INTEGER,
  every          INTEGER,
  probability    REAL,
  seed           INTEGER NOT NULL,
  after_messages INTEGER,
  sender         TEXT,
  recipient      TEXT,
  query          TEXT,
  preset         TEXT,
  seen           INTEGER NOT NULL,
  hits           INTEGER NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT;

-- The fault that was injected into an attempt.
ALTER TABLE attempts ADD COLUMN fault TEXT;
