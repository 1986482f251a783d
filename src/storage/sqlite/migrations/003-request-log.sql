-- The newest requests to the service, with their responses. Numbers never repeat, because clients continue from the
-- last one.
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
