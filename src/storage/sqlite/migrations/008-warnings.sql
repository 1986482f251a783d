-- Warnings have a code and the path of a field. Before, they were texts of three kinds.
ALTER TABLE email_warnings ADD COLUMN code TEXT NOT NULL DEFAULT 'content_cut';
ALTER TABLE email_warnings ADD COLUMN path TEXT NOT NULL DEFAULT '';
UPDATE email_warnings SET code = 'simulator_recipient' WHERE text LIKE '%@simulator.test does not name an outcome%';
UPDATE email_warnings SET code = 'ignored_outcome' WHERE text LIKE 'X-Service-Simulate: %';

UPDATE requests SET warnings = (
  SELECT json_group_array(json_object(
    'code', iif(value LIKE 'ignored unknown fields: %', 'unknown_field', 'simulator_recipient'),
    'path', '',
    'message', value
  ))
  FROM json_each(requests.warnings)
)
WHERE json_valid(warnings) AND json_type(warnings) = 'array' AND json_array_length(warnings) > 0;
