-- Retention finds the oldest emails by their age on the machine's clock.
CREATE INDEX emails_captured_at ON emails (captured_at);
