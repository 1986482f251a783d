import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns what an SQLite that svc does not contain reports about the database of a data directory: `ok` if it is intact. */
export function integrityOf(dataDir: string): string {
  const program =
    'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()[0])';
  return execFileSync('python3', ['-c', program, join(dataDir, 'mail.db')], { encoding: 'utf8' }).trim();
}
