-- The message of a request's error, and the invalid fields that it lists, as JSON.
ALTER TABLE requests ADD COLUMN error_message TEXT;
ALTER TABLE requests ADD COLUMN error_details TEXT NOT NULL DEFAULT '[]';
