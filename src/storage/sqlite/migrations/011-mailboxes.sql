-- Two spellings of a mailbox are equal if their domains are equal in ASCII, and in NFC. Earlier versions compared lower
-- case only, so their rows in other scripts are normalized. `runMigrations` registers the function.

-- Of two suppressions that become one, one stays.
UPDATE OR IGNORE suppressions SET mailbox = normalized_mailbox(mailbox) WHERE mailbox GLOB '*[^ -~]*';
DELETE FROM suppressions WHERE mailbox GLOB '*[^ -~]*' AND mailbox <> normalized_mailbox(mailbox);

UPDATE emails SET sender_mailbox = normalized_mailbox(sender_mailbox)
WHERE seq IN (SELECT seq FROM emails WHERE sender_mailbox GLOB '*[^ -~]*');

-- A recipient keeps its spelling if its email has the same mailbox twice.
UPDATE OR IGNORE recipients SET mailbox = normalized_mailbox(mailbox)
WHERE (email_seq, mailbox) IN (SELECT email_seq, mailbox FROM recipients WHERE mailbox GLOB '*[^ -~]*');

-- Events and jobs follow their recipient.
UPDATE events SET recipient = normalized_mailbox(recipient)
WHERE recipient GLOB '*[^ -~]*' AND NOT EXISTS (
  SELECT 1 FROM recipients JOIN emails ON emails.seq = email_seq WHERE id = events.email_id AND mailbox = recipient
);
UPDATE jobs SET payload = json_set(payload, '$.mailbox', normalized_mailbox(payload ->> '$.mailbox'))
WHERE CASE WHEN json_valid(payload) THEN payload ->> '$.mailbox' END GLOB '*[^ -~]*' AND NOT EXISTS (
  SELECT 1 FROM recipients JOIN emails ON emails.seq = email_seq
  WHERE id = payload ->> '$.emailId' AND mailbox = payload ->> '$.mailbox'
);
