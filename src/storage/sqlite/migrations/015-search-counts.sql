-- The forms in which searches compare tags.
CREATE TABLE tag_forms (
  form TEXT NOT NULL,
  tag  TEXT NOT NULL,
  PRIMARY KEY (form, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO tag_forms SELECT DISTINCT tag_form(tag), tag FROM tags;

-- More counts, so that searches skip blocks of emails. A class of sizes is their number of bits.
INSERT INTO email_counts
SELECT 'origin', origin, seq >> 10, count(*) FROM emails GROUP BY origin, seq >> 10
UNION ALL SELECT 'size', size_class(size) AS class, seq >> 10, count(*) FROM emails GROUP BY class, seq >> 10
UNION ALL SELECT 'is', 'read', seq >> 10, count(*) FROM emails WHERE read_at IS NOT NULL GROUP BY seq >> 10
UNION ALL SELECT 'has', 'html', email_seq >> 10, count(*) FROM bodies WHERE html <> '' OR html_key IS NOT NULL
  GROUP BY email_seq >> 10;

-- Rare values, so that searches for them need not read every email.
CREATE INDEX emails_template ON emails (template_id) WHERE template_id IS NOT NULL;
CREATE INDEX extracts_links ON email_extracts (email_seq) WHERE links <> '[]';
CREATE INDEX extracts_codes ON email_extracts (email_seq) WHERE codes <> '[]';
CREATE INDEX recipients_failed ON recipients (email_seq, status) WHERE status IN ('bounced', 'complained', 'dropped');
CREATE INDEX events_rare ON events (type, email_id)
  WHERE email_id IS NOT NULL AND type NOT IN ('email.sent', 'email.delivered');

-- Each content is now followed by line breaks in the index, so that its last characters begin a trigram. The index may be
-- missing or damaged.
DROP TABLE IF EXISTS search;
CREATE VIRTUAL TABLE search USING fts5 (
  trigrams, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
-- A part of the index is written again when half of its emails are deleted. By default it is a tenth, which takes a long
-- deletion several times as long.
INSERT INTO search (search, rank) VALUES ('deletemerge', 50);
INSERT OR IGNORE INTO unindexed SELECT email_seq, 1 FROM email_extracts;
