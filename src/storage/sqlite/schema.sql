-- The schema of a database. Later changes are migrations, which follow this file in migrations.ts.
CREATE TABLE emails (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  origin         TEXT NOT NULL,
  status         TEXT NOT NULL,
  sender         TEXT NOT NULL,
  sender_mailbox TEXT NOT NULL,
  recipients     TEXT NOT NULL,
  subject        TEXT NOT NULL,
  reply_to       TEXT,
  template_id    TEXT,
  variables      TEXT,
  tags           TEXT NOT NULL,
  added_tags     TEXT NOT NULL,
  track_opens    INTEGER NOT NULL,
  track_clicks   INTEGER NOT NULL,
  created_at     INTEGER NOT NULL,
  scheduled_at   INTEGER,
  sent_at        INTEGER,
  delivered_at   INTEGER,
  opened_at      INTEGER,
  opens_count    INTEGER NOT NULL,
  clicks_count   INTEGER NOT NULL,
  bounce_reason  TEXT,
  parse_error    TEXT,
  pending        INTEGER NOT NULL DEFAULT 0,
  workspace      TEXT,
  read_at        INTEGER,
  size           INTEGER NOT NULL,
  captured_at    INTEGER NOT NULL,
  traceparent    TEXT,
  client_request_id TEXT
) STRICT;
CREATE INDEX emails_created_at ON emails (created_at, origin);
CREATE INDEX emails_status ON emails (status);
CREATE INDEX emails_sender ON emails (sender_mailbox);
CREATE INDEX emails_read ON emails (seq) WHERE read_at IS NOT NULL;
CREATE INDEX emails_large ON emails (size) WHERE size >= 65536;
CREATE INDEX emails_workspace ON emails (workspace) WHERE workspace IS NOT NULL;
CREATE INDEX emails_captured_at ON emails (captured_at);
CREATE INDEX emails_template ON emails (template_id) WHERE template_id IS NOT NULL;
CREATE TABLE bodies (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  text_key  TEXT,
  text_size INTEGER,
  html_key  TEXT,
  html_size INTEGER NOT NULL,
  text      TEXT NOT NULL,
  html      BLOB NOT NULL
) STRICT;
CREATE INDEX bodies_text ON bodies (text_key) WHERE text_key IS NOT NULL;
CREATE INDEX bodies_html ON bodies (html_key) WHERE html_key IS NOT NULL;
CREATE INDEX bodies_with_html ON bodies (email_seq) WHERE html_size > 0;
CREATE TABLE recipients (
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  mailbox   TEXT NOT NULL,
  position  INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  address   TEXT NOT NULL,
  status    TEXT NOT NULL,
  due_at    INTEGER,
  steps     TEXT,
  PRIMARY KEY (email_seq, mailbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX recipients_mailbox ON recipients (mailbox, email_seq);
CREATE INDEX recipients_due ON recipients (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX recipients_failed ON recipients (email_seq, status) WHERE status IN ('bounced', 'complained', 'dropped');
CREATE TABLE tags (
  tag       TEXT NOT NULL,
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  -- Whether it was added by hand, and not by the sender.
  added     INTEGER NOT NULL,
  PRIMARY KEY (tag, email_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_email ON tags (email_seq);
CREATE TABLE tag_forms (
  form TEXT NOT NULL,
  tag  TEXT NOT NULL,
  PRIMARY KEY (form, tag)
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
  content_key  TEXT,
  PRIMARY KEY (email_seq, position)
) STRICT;
CREATE INDEX attachments_content ON attachments (content_key) WHERE content_key IS NOT NULL;
CREATE TABLE email_warnings (
  seq       INTEGER PRIMARY KEY,
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  text      TEXT NOT NULL,
  code      TEXT NOT NULL DEFAULT 'content_cut',
  path      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX email_warnings_email ON email_warnings (email_seq);
CREATE TABLE received (
  email_seq   INTEGER PRIMARY KEY,
  mail_from   TEXT NOT NULL,
  recipients  TEXT NOT NULL,
  bytes       BLOB NOT NULL,
  content_key TEXT,
  size        INTEGER NOT NULL,
  dsn         TEXT,
  session_id  TEXT,
  import_key  TEXT,
  key_id      TEXT
) STRICT;
CREATE INDEX received_content ON received (content_key) WHERE content_key IS NOT NULL;
CREATE INDEX received_session ON received (session_id) WHERE session_id IS NOT NULL;
CREATE UNIQUE INDEX received_import_key ON received (import_key) WHERE import_key IS NOT NULL;
-- Received messages whose email has only the fields of the header until they are parsed.
CREATE TABLE unparsed (
  seq             INTEGER PRIMARY KEY REFERENCES received (email_seq) ON DELETE CASCADE,
  recipient_count INTEGER NOT NULL,
  attempts        INTEGER NOT NULL
) STRICT;
CREATE TABLE chunks (
  seq         INTEGER PRIMARY KEY,
  content_key TEXT NOT NULL,
  position    INTEGER NOT NULL,
  bytes       BLOB NOT NULL,
  UNIQUE (content_key, position)
) STRICT;
CREATE TABLE email_extracts (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  -- NULL until they are found.
  links     TEXT,
  codes     TEXT,
  headers   TEXT,
  html_text TEXT
) STRICT;
CREATE INDEX extracts_links ON email_extracts (email_seq) WHERE links <> '[]';
CREATE INDEX extracts_codes ON email_extracts (email_seq) WHERE codes <> '[]';
CREATE INDEX extracts_without_links ON email_extracts (email_seq) WHERE links IS NULL;
CREATE INDEX extracts_not_shown ON email_extracts (email_seq) WHERE html_text IS NULL;
CREATE TABLE unindexed (
  seq     INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  waiting INTEGER NOT NULL
) STRICT;
CREATE INDEX unindexed_waiting ON unindexed (seq) WHERE waiting = 1;
-- Deletions that can be undone. Their emails have rows in no other table; their large contents stay in chunks.
CREATE TABLE deletions (
  id         TEXT PRIMARY KEY,
  deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE deleted_emails (
  seq       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,
  deletion  TEXT NOT NULL,
  workspace TEXT,
  content   TEXT NOT NULL
) STRICT;
CREATE INDEX deleted_emails_deletion ON deleted_emails (deletion, seq);
CREATE TABLE deleted_contents (
  content_key TEXT NOT NULL,
  email_seq   INTEGER NOT NULL,
  PRIMARY KEY (content_key, email_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_contents_email ON deleted_contents (email_seq);
CREATE TABLE email_counts (
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  block INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (field, value, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  type       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  email_id   TEXT,
  recipient  TEXT,
  payload    TEXT NOT NULL,
  -- What keeps the event if its email does not: 1 for one of the newest without a stored email, 2 for an open delivery.
  held_by    INTEGER
) STRICT;
CREATE INDEX events_held ON events (held_by, seq) WHERE held_by IS NOT NULL;
CREATE INDEX events_email ON events (email_id) WHERE email_id IS NOT NULL;
CREATE INDEX events_rare ON events (type, email_id)
  WHERE email_id IS NOT NULL AND type NOT IN ('email.sent', 'email.delivered');
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
-- Recipients that emails were sent to, by month. The workspace is empty for none.
CREATE TABLE monthly_sent (
  workspace TEXT NOT NULL,
  month     INTEGER NOT NULL,
  sent      INTEGER NOT NULL,
  PRIMARY KEY (workspace, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  queue       TEXT NOT NULL DEFAULT '',
  run_at      INTEGER NOT NULL,
  payload     TEXT NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  error       TEXT
) STRICT;
CREATE INDEX jobs_free ON jobs (kind, run_at, seq) WHERE error IS NULL AND lease_until = 0;
CREATE INDEX jobs_queued ON jobs (kind, queue, run_at, seq)
  WHERE error IS NULL AND lease_until = 0 AND queue <> '';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE error IS NULL AND lease_until > 0;
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
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  environment   TEXT NOT NULL,
  rate_limit    INTEGER NOT NULL,
  hash          TEXT NOT NULL UNIQUE,
  created_at    INTEGER NOT NULL,
  workspace     TEXT,
  admin         INTEGER NOT NULL DEFAULT 0,
  creates_workspaces INTEGER NOT NULL DEFAULT 0,
  owner TEXT,
  expires_at INTEGER
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
  updated_at        INTEGER NOT NULL,
  workspace         TEXT
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
  fault            TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT;
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE suppressions (
  seq        INTEGER PRIMARY KEY,
  mailbox    TEXT NOT NULL,
  reason     TEXT NOT NULL,
  email_id   TEXT,
  created_at INTEGER NOT NULL,
  -- Empty for no workspace.
  workspace  TEXT NOT NULL DEFAULT '',
  UNIQUE (mailbox, workspace)
) STRICT;
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
  created_at     INTEGER NOT NULL,
  workspace TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE requests (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  method        TEXT NOT NULL,
  path          TEXT NOT NULL,
  status        INTEGER NOT NULL,
  ms            REAL NOT NULL,
  key_id        TEXT,
  error_code    TEXT,
  warnings      TEXT NOT NULL,
  user_agent    TEXT,
  error_message TEXT,
  error_details TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE quarantine (
  seq        INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  row_key    TEXT NOT NULL,
  reason     TEXT NOT NULL,
  reviewed   INTEGER NOT NULL,
  content    TEXT NOT NULL
) STRICT;
CREATE TABLE workspaces (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE,
  addresses  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended INTEGER NOT NULL DEFAULT 0,
  keep INTEGER,
  max_age_ms INTEGER,
  monthly_quota INTEGER
) STRICT;
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
  transcript   TEXT NOT NULL,
  accepted     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE audit (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor      TEXT,
  key_id     TEXT,
  owner      TEXT,
  action     TEXT NOT NULL,
  target     TEXT,
  details    TEXT NOT NULL,
  workspace  TEXT,
  client     TEXT,
  request_id TEXT NOT NULL
) STRICT;
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
  created_at     INTEGER NOT NULL,
  workspace TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (
  trigrams, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO search (search, rank) VALUES ('deletemerge', 50);
