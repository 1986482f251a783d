-- The API key that the client of a message logged in with. Null for other log-ins, and for none.
ALTER TABLE received ADD COLUMN key_id TEXT;
-- What was found when a message was received, as a list in JSON. Null for nothing.
ALTER TABLE unparsed ADD COLUMN warnings TEXT;
-- The number of messages of a session that were stored. Before, sessions kept only their first and last transactions.
ALTER TABLE smtp_sessions ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;
UPDATE smtp_sessions SET accepted = (
  SELECT count(*) FROM json_each(smtp_sessions.transactions) WHERE CASE type WHEN 'object' THEN value ->> 'state' END = 'accepted'
)
WHERE json_valid(transactions);
