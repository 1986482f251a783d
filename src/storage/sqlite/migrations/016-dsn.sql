-- The parameters of delivery status notifications (RFC 3461) that a client gave with a message, as JSON.
ALTER TABLE received ADD COLUMN dsn TEXT;
