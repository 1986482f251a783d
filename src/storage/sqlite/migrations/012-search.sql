-- Bodies are in a table of their own, so that an update of an email does not rewrite them and a list does not read past
-- them. Numbers of emails never repeat, because they are cursors. `captured_at` is in system time.

CREATE TABLE bodies (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  text_key  TEXT,
  text_size INTEGER,
  html_key  TEXT,
  html_size INTEGER,
  text      TEXT NOT NULL,
  html      TEXT NOT NULL
) STRICT;
INSERT INTO bodies SELECT seq, text_key, text_size, html_key, html_size, text, html FROM emails;
CREATE INDEX bodies_text ON bodies (text_key) WHERE text_key IS NOT NULL;
CREATE INDEX bodies_html ON bodies (html_key) WHERE html_key IS NOT NULL;
-- So that a search for emails with HTML does not read it.
CREATE INDEX bodies_with_html ON bodies (email_seq) WHERE html <> '' OR html_key IS NOT NULL;

CREATE TABLE emails_next (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  origin        TEXT NOT NULL,
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
  pending       INTEGER NOT NULL DEFAULT 0,
  workspace     TEXT,
  read_at       INTEGER,
  size          INTEGER NOT NULL,
  captured_at   INTEGER NOT NULL
) STRICT;
INSERT INTO emails_next
SELECT seq, id, origin, status, sender, sender_mailbox, recipients, subject, reply_to, template_id, variables, tags,
  track_opens, track_clicks, created_at, scheduled_at, sent_at, delivered_at, opened_at, opens_count, clicks_count,
  bounce_reason, parse_error, pending, NULL, NULL,
  coalesce(
    (SELECT coalesce(size, length(bytes)) FROM received WHERE email_seq = seq),
    octet_length(subject) + coalesce(text_size, octet_length(text)) + coalesce(html_size, octet_length(html))
      + (SELECT coalesce(sum(size), 0) FROM attachments WHERE email_seq = seq)
  ),
  min(created_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))
FROM emails;
DROP TABLE emails;
ALTER TABLE emails_next RENAME TO emails;
CREATE INDEX emails_created_at ON emails (created_at, origin);
CREATE INDEX emails_status ON emails (status);
CREATE INDEX emails_sender ON emails (sender_mailbox);

ALTER TABLE unparsed ADD COLUMN captured_at INTEGER NOT NULL DEFAULT 0;
UPDATE unparsed SET captured_at = min(created_at, CAST(unixepoch('subsec') * 1000 AS INTEGER));

-- What was found in the content of an email: links, codes, header fields, and its HTML as text.
CREATE TABLE email_extracts (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  links     TEXT NOT NULL,
  codes     TEXT NOT NULL,
  headers   TEXT NOT NULL,
  html_text TEXT NOT NULL
) STRICT;

-- Emails whose content is not searched for these yet.
CREATE TABLE unextracted (
  seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE
) STRICT;
INSERT INTO unextracted SELECT seq FROM emails;

-- The trigrams of emails' texts, without positions and content. A row has the number of its email.
CREATE VIRTUAL TABLE search USING fts5 (
  trigrams, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
-- Emails with extracts that are not in the index: they wait for it, or are too large for it.
CREATE TABLE unindexed (
  seq     INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  waiting INTEGER NOT NULL
) STRICT;
CREATE INDEX unindexed_waiting ON unindexed (seq) WHERE waiting = 1;

-- Rare values, so that searches for them need not read every email.
CREATE INDEX emails_read ON emails (seq) WHERE read_at IS NOT NULL;
CREATE INDEX emails_large ON emails (size) WHERE size >= 65536;
CREATE INDEX emails_workspace ON emails (workspace) WHERE workspace IS NOT NULL;

-- Number of emails with a value of a field, per block of 1,024 consecutive numbers. An `hour` counts from 1970.
CREATE TABLE email_counts (
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  block INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (field, value, block)
) STRICT, WITHOUT ROWID;
INSERT INTO email_counts
SELECT 'status', status, seq >> 10, count(*) FROM emails GROUP BY status, seq >> 10
UNION ALL SELECT 'sender', sender_mailbox, seq >> 10, count(*) FROM emails GROUP BY sender_mailbox, seq >> 10
UNION ALL SELECT 'tag', tag, email_seq >> 10, count(*) FROM tags GROUP BY tag, email_seq >> 10
UNION ALL SELECT 'hour', printf('%08d', created_at / 3600000), seq >> 10, count(*) FROM emails
  GROUP BY created_at / 3600000, seq >> 10;

-- Deleting an email searches for its tags.
CREATE INDEX tags_email ON tags (email_seq);
