-- The client of a request. Requests of earlier versions have none, so they count as the application's.
ALTER TABLE requests ADD COLUMN user_agent TEXT;
