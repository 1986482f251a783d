-- Delivery takes time. A recipient has the time of the first step of its outcome, if only the server's delivery delay
-- defers it, and the steps unless they are a plain delivery. An email counts the recipients that have no result yet.

ALTER TABLE recipients ADD COLUMN due_at INTEGER;
ALTER TABLE recipients ADD COLUMN steps TEXT;
CREATE INDEX recipients_due ON recipients (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE emails ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
UPDATE emails SET pending = (SELECT count(*) FROM recipients WHERE email_seq = seq AND status = 'sent')
WHERE seq IN (SELECT email_seq FROM recipients WHERE status = 'sent');

-- An email is sent until every recipient has a result, and dropped recipients no longer count. Bounced and complained
-- emails keep their status.
UPDATE emails SET status = 'sent', delivered_at = NULL WHERE pending > 0 AND status IN ('delivered', 'dropped');
UPDATE emails SET status = 'delivered'
WHERE status = 'dropped' AND seq IN (SELECT email_seq FROM recipients WHERE status = 'delivered');
UPDATE emails SET status = 'sent', sent_at = coalesce(sent_at, scheduled_at, created_at) WHERE status = 'dropped';
