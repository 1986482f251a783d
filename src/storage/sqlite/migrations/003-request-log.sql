-- What was asked of the service, and how it answered; the newest so many. Numbers rise for ever, for those who follow.
CREATE TABLE requests (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  method     TEXT NOT NULL,
  path       TEXT NOT NULL,
  status     INTEGER NOT NULL,
  ms         REAL NOT NULL,
  key_id     TEXT,
  error_code TEXT,
  warnings   TEXT NOT NULL
) STRICT;
