-- Rows that could not be read, with the reason. Each was deleted from its own table. `reviewed`: a person has been told.
CREATE TABLE quarantine (
  seq        INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  row_key    TEXT NOT NULL,
  reason     TEXT NOT NULL,
  reviewed   INTEGER NOT NULL,
  content    TEXT NOT NULL
) STRICT;
