-- Keys that may affect everyone on a server for a team. A local server does not distinguish keys.
ALTER TABLE api_keys ADD COLUMN administrates INTEGER NOT NULL DEFAULT 0;
