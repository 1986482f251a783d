-- The key of a message that an import added, so that an interrupted import can be repeated.
ALTER TABLE received ADD COLUMN import_key TEXT;
CREATE UNIQUE INDEX received_import_key ON received (import_key) WHERE import_key IS NOT NULL;

-- Captured messages that were sent through an SMTP server, or could not be sent.
CREATE TABLE releases (
  seq         INTEGER PRIMARY KEY,
  email_seq   INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  released_at INTEGER NOT NULL,
  relay       TEXT NOT NULL,
  mail_from   TEXT NOT NULL,
  recipients  TEXT NOT NULL,
  reply       TEXT,
  error       TEXT,
  rejected    TEXT NOT NULL
) STRICT;
CREATE INDEX releases_email ON releases (email_seq);
