-- Suppressed addresses.
CREATE TABLE suppressions (
  seq        INTEGER PRIMARY KEY,
  mailbox    TEXT NOT NULL UNIQUE,
  reason     TEXT NOT NULL,
  email_id   TEXT,
  created_at INTEGER NOT NULL
) STRICT;

-- Outcomes for recipients that match a pattern. `times` NULL means no limit.
CREATE TABLE rules (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  pattern        TEXT NOT NULL,
  outcome        TEXT NOT NULL,
  bounce_type    TEXT,
  complaint_type TEXT,
  drop_reason    TEXT,
  reason         TEXT,
  delay_ms       INTEGER,
  times          INTEGER,
  used           INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
) STRICT;

-- Parts of a message's request that the service ignored.
CREATE TABLE email_warnings (
  seq       INTEGER PRIMARY KEY,
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  text      TEXT NOT NULL
) STRICT;
CREATE INDEX email_warnings_email ON email_warnings (email_seq);
