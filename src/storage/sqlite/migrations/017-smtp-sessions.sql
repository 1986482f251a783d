-- The newest SMTP sessions that have ended. Numbers never repeat, because clients continue from the last one.
CREATE TABLE smtp_sessions (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  captured_at  INTEGER NOT NULL,
  ms           INTEGER,
  client       TEXT NOT NULL,
  helo         TEXT,
  tls          TEXT,
  auth         TEXT,
  ending       TEXT,
  error        TEXT,
  omitted      INTEGER NOT NULL,
  size         INTEGER NOT NULL,
  transactions TEXT NOT NULL,
  transcript   TEXT NOT NULL
) STRICT;
-- The session in which a message was received. Null for messages of earlier versions, and of the control API.
ALTER TABLE received ADD COLUMN session_id TEXT;
