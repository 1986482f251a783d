-- Large contents are stored in chunks, each in its own transaction, because one write of many megabytes would block
-- other clients. The row that refers to a content is written last. It has an empty value instead of the content.

CREATE TABLE chunks (
  seq         INTEGER PRIMARY KEY,
  content_key TEXT NOT NULL,
  position    INTEGER NOT NULL,
  bytes       BLOB NOT NULL,
  UNIQUE (content_key, position)
) STRICT;

ALTER TABLE received ADD COLUMN content_key TEXT;
ALTER TABLE received ADD COLUMN size INTEGER;
CREATE INDEX received_content ON received (content_key) WHERE content_key IS NOT NULL;

ALTER TABLE emails ADD COLUMN text_key TEXT;
ALTER TABLE emails ADD COLUMN text_size INTEGER;
ALTER TABLE emails ADD COLUMN html_key TEXT;
ALTER TABLE emails ADD COLUMN html_size INTEGER;
CREATE INDEX emails_text ON emails (text_key) WHERE text_key IS NOT NULL;
CREATE INDEX emails_html ON emails (html_key) WHERE html_key IS NOT NULL;

ALTER TABLE attachments ADD COLUMN content_key TEXT;
CREATE INDEX attachments_content ON attachments (content_key) WHERE content_key IS NOT NULL;
