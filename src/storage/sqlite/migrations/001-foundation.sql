-- Instants are milliseconds since 1970. `seq` is the order of creation.

CREATE TABLE emails (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  origin        TEXT NOT NULL,
  indexed       INTEGER NOT NULL,
  status        TEXT NOT NULL,
  sender        TEXT NOT NULL,
  sender_mailbox TEXT NOT NULL,
  recipients    TEXT NOT NULL,
  subject       TEXT NOT NULL,
  reply_to      TEXT,
  template_id   TEXT,
  variables     TEXT,
  tags          TEXT NOT NULL,
  track_opens   INTEGER NOT NULL,
  track_clicks  INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  scheduled_at  INTEGER,
  sent_at       INTEGER,
  delivered_at  INTEGER,
  opened_at     INTEGER,
  opens_count   INTEGER NOT NULL,
  clicks_count  INTEGER NOT NULL,
  bounce_reason TEXT,
  parse_error   TEXT,
  -- The large columns stand last, so that a list never reads past them.
  text          TEXT NOT NULL,
  html          TEXT NOT NULL
) STRICT;
CREATE INDEX emails_created_at ON emails (created_at, origin);
CREATE INDEX emails_status ON emails (status);
CREATE INDEX emails_sender ON emails (sender_mailbox);

CREATE TABLE recipients (
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  mailbox   TEXT NOT NULL,
  position  INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  address   TEXT NOT NULL,
  status    TEXT NOT NULL,
  PRIMARY KEY (email_seq, mailbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX recipients_mailbox ON recipients (mailbox, email_seq);

CREATE TABLE tags (
  tag       TEXT NOT NULL,
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, email_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE attachments (
  email_seq    INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  filename     TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content_id   TEXT,
  disposition  TEXT NOT NULL,
  size         INTEGER NOT NULL,
  content      BLOB NOT NULL,
  PRIMARY KEY (email_seq, position)
) STRICT;

-- Messages as received over SMTP, byte for byte.
CREATE TABLE received (
  email_seq  INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  mail_from  TEXT NOT NULL,
  recipients TEXT NOT NULL,
  bytes      BLOB NOT NULL
) STRICT;

-- The event log. Rows are only appended.
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  type       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  email_id   TEXT,
  recipient  TEXT,
  payload    TEXT NOT NULL
) STRICT;
CREATE INDEX events_email ON events (email_id) WHERE email_id IS NOT NULL;

-- Number of events of each type per span of `unit` milliseconds: a day, an hour, a minute, a second, a millisecond.
CREATE TABLE counters (
  unit       INTEGER NOT NULL,
  start      INTEGER NOT NULL,
  sent       INTEGER NOT NULL DEFAULT 0,
  delivered  INTEGER NOT NULL DEFAULT 0,
  bounced    INTEGER NOT NULL DEFAULT 0,
  complained INTEGER NOT NULL DEFAULT 0,
  opened     INTEGER NOT NULL DEFAULT 0,
  clicked    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (unit, start)
) STRICT, WITHOUT ROWID;

-- `lease_until` is in system time, `run_at` on the service's clock. A failed job stays with its error and never runs.
CREATE TABLE jobs (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  queue       TEXT NOT NULL DEFAULT '',
  run_at      INTEGER NOT NULL,
  payload     TEXT NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  error       TEXT
) STRICT;
CREATE INDEX jobs_due ON jobs (run_at, seq) WHERE error IS NULL;

CREATE TABLE templates (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL UNIQUE,
  subject    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  text       TEXT NOT NULL,
  html       TEXT NOT NULL
) STRICT;

CREATE TABLE domains (
  seq                INTEGER PRIMARY KEY,
  domain             TEXT NOT NULL UNIQUE,
  status             TEXT NOT NULL,
  dkim_verified      INTEGER NOT NULL,
  spf_verified       INTEGER NOT NULL,
  dmarc_verified     INTEGER NOT NULL,
  verification_token TEXT NOT NULL,
  dkim_selector      TEXT NOT NULL,
  dkim_private_key   TEXT NOT NULL,
  dkim_public_key    TEXT NOT NULL,
  created_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  environment TEXT NOT NULL,
  rate_limit  INTEGER NOT NULL,
  hash        TEXT NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE webhooks (
  seq               INTEGER PRIMARY KEY,
  id                TEXT NOT NULL UNIQUE,
  url               TEXT NOT NULL,
  events            TEXT NOT NULL,
  secret            TEXT,
  active            INTEGER NOT NULL,
  ephemeral         INTEGER NOT NULL,
  recipient_pattern TEXT,
  headers           TEXT NOT NULL,
  since_seq         INTEGER NOT NULL,
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  webhook_id      TEXT NOT NULL,
  event_seq       INTEGER NOT NULL REFERENCES events (seq),
  url             TEXT NOT NULL,
  state           TEXT NOT NULL,
  attempts        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  next_attempt_at INTEGER,
  replay_of       TEXT
) STRICT;
CREATE INDEX deliveries_event ON deliveries (event_seq);
CREATE INDEX deliveries_webhook ON deliveries (webhook_id);
CREATE INDEX deliveries_state ON deliveries (state);

CREATE TABLE attempts (
  delivery_id      TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  attempt          INTEGER NOT NULL,
  started_at       INTEGER NOT NULL,
  duration_ms      INTEGER NOT NULL,
  request_headers  TEXT NOT NULL,
  status           INTEGER,
  response_headers TEXT NOT NULL,
  response_body    TEXT NOT NULL,
  error            TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT;

CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
