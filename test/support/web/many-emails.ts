import Database from 'better-sqlite3';
import { recountEmails } from '../../../src/storage/sqlite/reset.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';

/** Creates a database with this many emails, which are not in the search index. The nth has the subject `Email n`. */
export async function createManyEmails(file: string, count: number): Promise<void> {
  await openSqliteStore({ file }).close();
  const db = new Database(file);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  db.exec(`
    BEGIN;
    ${numbers}
    INSERT INTO emails (seq, id, origin, status, sender, sender_mailbox, recipients, subject, tags, added_tags, track_opens,
        track_clicks, created_at, sent_at, opens_count, clicks_count, size, captured_at)
      SELECT i, printf('msg_%026d', i), 'rest', 'delivered', 'shop@example.test', 'shop@example.test',
        'ada@example.test', 'Email ' || i, '[]', '[]', 0, 0, 1767225600000 + i, 1767225600000 + i, 0, 0, 500, 1767225600000 + i
      FROM n;
    INSERT INTO bodies (email_seq, text, text_size, html, html_size)
      SELECT seq, 'Thank you for your order.', 25, x'', 0 FROM emails;
    INSERT INTO recipients (email_seq, mailbox, position, kind, address, status)
      SELECT seq, 'ada@example.test', 0, 'to', 'ada@example.test', 'delivered' FROM emails;
    INSERT INTO email_extracts (email_seq, links, codes, headers, html_text) SELECT seq, '[]', '[]', '[]', '' FROM emails;
    COMMIT;`);
  recountEmails(db);
  db.close();
}
