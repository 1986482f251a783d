-- Retention finds the oldest emails by their age on the machine's clock. Deleting an email finds its tags.
CREATE INDEX emails_captured_at ON emails (captured_at);
CREATE INDEX tags_email ON tags (email_seq);
