import type Database from 'better-sqlite3';
import type { SearchEngine } from '../../common/tables/mail/searched-emails.js';
import { SqliteSql } from '../sql.js';
import { CandidateSearch } from './candidates.js';
import { SearchIndex } from './search-index.js';

/** Returns the index of searches in FTS5. */
export function sqliteSearch(db: Database.Database): SearchEngine {
  return {
    index: (documents) => new SearchIndex(db, documents),
    candidates: (onDamagedIndex) => new CandidateSearch(db, new SqliteSql(db), onDamagedIndex),
  };
}
