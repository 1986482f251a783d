/** Lists rows that svc never writes. */

/** Makes the scheduled email of `fill` one that is not parsed, with a job that parses it now. */
const RECEIVED = `
  INSERT INTO received (email_seq, mail_from, recipients, bytes, size)
  SELECT seq, 'a@b.test', '["c@d.test"]', x'00', 1 FROM emails WHERE status = 'scheduled';
  INSERT INTO unparsed (seq, recipient_count, attempts) SELECT seq, 1, 0 FROM emails WHERE status = 'scheduled';
  UPDATE jobs SET kind = 'email.parse', run_at = 0 WHERE kind = 'email.send';`;

const SESSION = `
  INSERT INTO smtp_sessions (id, created_at, captured_at, client, omitted, size, transactions, transcript)
  VALUES ('smtp_1', 0, 0, '{"address":"::1","port":1}', 0, 9, '[]', '[]');`;

/** Lists the edits, and the tables whose rows a store on SQLite sets aside for them. */
export const damagedRows: [name: string, sql: string, setAside: string[]][] = [
  ['jobs.payload is not JSON', "UPDATE jobs SET payload = '}', run_at = 0", ['jobs']],
  ['jobs.payload of a later job is not JSON', "UPDATE jobs SET payload = '}'", []],
  ['jobs.payload is null', "UPDATE jobs SET payload = 'null', run_at = 0", []],
  ['jobs.payload has another shape', `UPDATE jobs SET payload = '{"emailId":{"a":1},"steps":"x"}', run_at = 0`, []],
  ['jobs.run_at is far away', 'UPDATE jobs SET run_at = 9000000000000000000', []],
  ['jobs.run_at is far in the past', 'UPDATE jobs SET run_at = -9000000000000000000', ['jobs']],
  ['jobs.kind is unknown', "UPDATE jobs SET kind = 'other', run_at = 0", []],
  ['webhooks.events is not JSON', "UPDATE webhooks SET events = '}{'", ['webhooks']],
  ['webhooks.events is null', "UPDATE webhooks SET events = 'null'", ['webhooks']],
  ['webhooks.events names an unknown type', `UPDATE webhooks SET events = '["a.b"]'`, ['webhooks']],
  ['webhooks.headers is not JSON', "UPDATE webhooks SET headers = 'nope'", ['webhooks']],
  ['webhooks.headers holds a number', `UPDATE webhooks SET headers = '{"a":1}'`, ['webhooks']],
  ['webhooks.url is not a URL', "UPDATE webhooks SET url = 'not a url'", ['webhooks']],
  ['webhooks.url is not a web URL', "UPDATE webhooks SET url = 'file:///etc/passwd'", ['webhooks']],
  ['deliveries.url is not a URL', "UPDATE deliveries SET url = 'x'", ['attempts', 'deliveries']],
  ['deliveries.state is unknown', "UPDATE deliveries SET state = 'x'", ['attempts', 'deliveries']],
  ['attempts.response_headers is not JSON', "UPDATE attempts SET response_headers = 'x'", ['attempts']],
  ['events.payload is not JSON', "UPDATE events SET payload = '}'", ['attempts', 'deliveries', 'events']],
  ['events.type is unknown', "UPDATE events SET type = 'x'", ['attempts', 'deliveries', 'events']],
  [
    'emails.created_at is out of range',
    'UPDATE emails SET created_at = 9000000000000000000',
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  [
    'emails.status is unknown',
    "UPDATE emails SET status = 'x'",
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  [
    'emails.tags is not a list',
    "UPDATE emails SET tags = '5'",
    ['attachments', 'bodies', 'email_warnings', 'emails', 'recipients', 'tags'],
  ],
  ['recipients.status is unknown', "UPDATE recipients SET status = 'x'", ['recipients']],
  [
    'recipients.steps holds an unknown step',
    `UPDATE recipients SET status = 'sent', due_at = 0, steps = '[{"name":"x","afterMs":0}]'`,
    ['recipients'],
  ],
  ['recipients.steps is empty', "UPDATE recipients SET status = 'sent', due_at = 0, steps = '[]'", ['recipients']],
  ['attachments.disposition is unknown', "UPDATE attachments SET disposition = 'x'", ['attachments']],
  ['received.recipients is not JSON', `${RECEIVED} UPDATE received SET recipients = '}'`, ['received', 'unparsed']],
  ['unparsed.attempts is negative', `${RECEIVED} UPDATE unparsed SET attempts = -1`, ['unparsed']],
  ['faults.smtp is unknown', "UPDATE faults SET smtp = 'x'", ['faults']],
  ['rules.outcome is unknown', "UPDATE rules SET outcome = 'x'", ['rules']],
  ['suppressions.reason is unknown', "UPDATE suppressions SET reason = 'x'", ['suppressions']],
  ['templates.created_at is out of range', 'UPDATE templates SET created_at = -1', ['templates']],
  ['domains.status is unknown', "UPDATE domains SET status = 'x'", ['domains']],
  ['api_keys.environment is unknown', "UPDATE api_keys SET environment = 'x' WHERE name = 'ci'", ['api_keys']],
  ['requests.warnings is not JSON', "UPDATE requests SET warnings = 'x'", ['requests']],
  ['smtp_sessions.client is not JSON', `${SESSION} UPDATE smtp_sessions SET client = 'x'`, ['smtp_sessions']],
  [
    'smtp_sessions.transcript is not a JSON array of records',
    `${SESSION} UPDATE smtp_sessions SET transcript = '[{}]'`,
    ['smtp_sessions'],
  ],
  ['audit.details is not JSON', "UPDATE audit SET details = 'x'", ['audit']],
  ['counters overflow', 'UPDATE counters SET sent = 9000000000000000000', []],
  [
    'settings hold unpublished records that are not JSON',
    "INSERT INTO settings VALUES ('dns.unpublished', '}')",
    ['settings'],
  ],
  ...[
    '{"offset":1e300,"frozenAt":null}',
    '{"offset":8.64e15,"frozenAt":null}',
    '{"offset":0,"frozenAt":-1e17}',
    '{"offset":0.5,"frozenAt":null}',
    'null',
    'soon',
  ].map((clock): [string, string, string[]] => [
    `the stored clock is ${clock}`,
    `INSERT INTO settings VALUES ('clock', '${clock}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ['settings'],
  ]),
];

const tableOf = ([name]: (typeof damagedRows)[number]) => name.split(/[ .]/, 1)[0];

/** The first edit of each table, and all of those that a server reads at its start. */
export const oneOfEachTable = damagedRows.filter(
  (edit) =>
    /^(?:jobs|settings|the stored clock)/.test(edit[0]) ||
    edit === damagedRows.find((other) => tableOf(other) === tableOf(edit)),
);
