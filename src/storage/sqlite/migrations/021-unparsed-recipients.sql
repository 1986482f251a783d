-- The number of a message's recipients, which the quota counts before the message is parsed.
ALTER TABLE unparsed ADD COLUMN recipient_count INTEGER NOT NULL DEFAULT 0;
UPDATE unparsed SET recipient_count = coalesce((
  SELECT CASE WHEN json_valid(recipients) THEN json_array_length(recipients) END FROM received WHERE email_seq = seq
), 0);
