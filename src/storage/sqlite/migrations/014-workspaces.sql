-- A workspace owns the emails that its keys, SMTP logins and addresses send or receive. Names, not numbers, refer to it, so
-- that an email keeps its workspace when the workspace is deleted.

CREATE TABLE workspaces (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE,
  addresses  TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

ALTER TABLE api_keys ADD COLUMN workspace TEXT;
ALTER TABLE webhooks ADD COLUMN workspace TEXT;
ALTER TABLE unparsed ADD COLUMN workspace TEXT;
