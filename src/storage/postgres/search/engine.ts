import type { SearchEngine } from '../../common/tables/mail/searched-emails.js';
import type { PostgresSql } from '../statements/sql.js';
import { CandidateSearch } from './candidates.js';
import { SearchIndex } from './search-index.js';

/** Returns the index of searches in pg_trgm. `apart` runs searches over connections that other reads do not use. */
export function postgresSearch(sql: PostgresSql, apart = sql): SearchEngine {
  return {
    sql: apart,
    index: (documents) => new SearchIndex(sql, documents),
    candidates: () => new CandidateSearch(apart),
  };
}
