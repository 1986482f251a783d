-- Rows that could not be used, with the reason. Each was deleted from its own table. `reviewed`: svc doctor has shown
-- it to the user.
CREATE TABLE quarantine (
  seq        INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  row_key    TEXT NOT NULL,
  reason     TEXT NOT NULL,
  reviewed   INTEGER NOT NULL,
  content    TEXT NOT NULL
) STRICT;
