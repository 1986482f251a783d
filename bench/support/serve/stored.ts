import type { PostgresServer } from '../../../test/support/postgres.js';
import { call, type Setup } from './setups.js';

/** Fills a PostgreSQL database with copies of one email, which differ in their ids, recipients and texts. */

/** Columns that differ between the copies; `n` is the number of the copy. */
const OWN: Record<string, Record<string, string>> = {
  emails: {
    seq: 'n',
    id: "'msg_' || lpad(n::text, 26, '0')",
    subject: "subject || ' ' || n",
    recipients: `'["user' || n || '@example.test"]'`,
  },
  bodies: { email_seq: 'n' },
  recipients: {
    email_seq: 'n',
    mailbox: "'user' || n || '@example.test'",
    address: "'user' || n || '@example.test'",
  },
  email_extracts: { email_seq: 'n', html_text: "html_text || md5(n::text) || ' order-' || n" },
  search: {
    seq: 'n',
    subject: "subject || ' ' || n",
    address: "address || ' user' || n || '@example.test'",
    content: "content || ' ' || md5(n::text) || ' order-' || n",
  },
};
const SEQ_OF: Record<string, string> = { emails: 'seq', search: 'seq' };

/** Adds copies until the database has `count` emails. */
export async function fill(cluster: PostgresServer, setup: Setup, count: number): Promise<void> {
  const query = (sql: string) => cluster.query(sql, setup.database);
  const port = setup.replicas[0]?.httpPort ?? 0;
  await call(port, 'POST', '/v1/emails', {
    from: 'ada@example.test',
    to: 'grace@example.test',
    subject: 'Your order has been shipped',
    html: '<h1>On its way</h1><p>Your order has left our house.</p>',
  });
  await setup.settled();
  const [ledger] = await query('SELECT emails::int, events::int FROM ledger');
  const [last, lastEvent] = [ledger?.emails as number, ledger?.events as number];
  if (last >= count) return;
  // Indexes of texts are built faster than they grow.
  const gin = await query(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'search' AND indexdef LIKE '%gin%'",
  );
  for (const { indexname } of gin) await query(`DROP INDEX ${indexname}`);
  const copies = `generate_series(${last + 1}, ${count}) AS n`;
  for (const [table, own] of Object.entries(OWN)) {
    const columns = await query(`SELECT column_name FROM information_schema.columns WHERE table_name = '${table}'`);
    const names = columns.map(({ column_name }) => String(column_name));
    const values = names.map((name) => own[name] ?? name);
    await query(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table}, ${copies}
       WHERE ${table}.${SEQ_OF[table] ?? 'email_seq'} = ${last}`,
    );
  }
  await query(
    `INSERT INTO events (seq, id, type, created_at, email_id, recipient, payload)
     SELECT ${lastEvent} + (n - ${last} - 1) * 2 + part, 'evt_' || lpad(n::text || part, 26, '0'),
       type, created_at, 'msg_' || lpad(n::text, 26, '0'), recipient, payload
     FROM ${copies}, generate_series(1, 2) AS part JOIN events ON events.seq = ${lastEvent} - 2 + part`,
  );
  // All emails are counted under the same values.
  await query(
    `INSERT INTO email_counts (field, value, block, count)
     SELECT field, value, n >> 10, count(*) FROM ${copies},
       (SELECT DISTINCT field, value FROM email_counts WHERE block = ${last} >> 10) AS counted
     GROUP BY field, value, n >> 10
     ON CONFLICT (field, value, block) DO UPDATE SET count = email_counts.count + excluded.count`,
  );
  await query(`UPDATE ledger SET emails = ${count}, events = ${lastEvent + (count - last) * 2}`);
  await query("SET maintenance_work_mem = '256MB'");
  for (const { indexdef } of gin) await query(String(indexdef));
  await query('VACUUM ANALYZE');
}
