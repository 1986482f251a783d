import Database from 'better-sqlite3';

/** Returns where the index of searches, the lists of waiting emails, or the counts differ from the emails. */
export function indexProblems(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    const problems = [
      `SELECT 'not in the index and not waiting', seq FROM emails
       WHERE seq NOT IN (SELECT id FROM search_docsize)
         AND seq NOT IN (SELECT seq FROM unindexed)`,
      "SELECT 'in the index twice', seq FROM unindexed WHERE seq IN (SELECT id FROM search_docsize)",
      "SELECT 'in the index without an email', id FROM search_docsize WHERE id NOT IN (SELECT seq FROM emails)",
      `SELECT 'a wrong count', * FROM (
         SELECT 'status', status, seq >> 10, count(*) FROM emails GROUP BY 2, 3
         UNION ALL SELECT 'sender', sender_mailbox, seq >> 10, count(*) FROM emails GROUP BY 2, 3
         UNION ALL SELECT 'origin', origin, seq >> 10, count(*) FROM emails GROUP BY 2, 3
         UNION ALL SELECT 'is', 'read', seq >> 10, count(*) FROM emails WHERE read_at IS NOT NULL GROUP BY 3
         UNION ALL SELECT 'has', 'html', email_seq >> 10, count(*) FROM bodies WHERE html_size > 0
           GROUP BY 3
         UNION ALL SELECT CASE added WHEN 0 THEN 'tag' ELSE 'added_tag' END, tag, email_seq >> 10, count(*)
           FROM tags GROUP BY 1, 2, 3
         EXCEPT SELECT field, value, block, count FROM email_counts)`,
      `SELECT 'a wrong sum', field, block, sum(count) FROM email_counts WHERE field IN ('origin', 'size', 'sender')
         GROUP BY field, block HAVING sum(count) <> (SELECT count(*) FROM emails WHERE seq >> 10 = block)`,
      `SELECT 'a tag without its form', tag FROM tags WHERE tag NOT IN (SELECT tag FROM tag_forms)`,
      `SELECT 'a count without emails', * FROM email_counts WHERE count <> 0 AND field = 'status'
         AND (value, block) NOT IN (SELECT status, seq >> 10 FROM emails)`,
    ];
    return problems.flatMap((sql) => db.prepare(sql).raw().all());
  } finally {
    db.close();
  }
}
