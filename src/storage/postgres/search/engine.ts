import type { SearchEngine } from '../../common/tables/mail/searched-emails.js';
import type { PostgresSql } from '../statements/sql.js';
import { CandidateSearch } from './candidates.js';
import { SearchIndex } from './search-index.js';

/** Returns the index of searches in pg_trgm. */
export function postgresSearch(sql: PostgresSql): SearchEngine {
  return {
    index: (documents) => new SearchIndex(sql, documents),
    candidates: () => new CandidateSearch(sql),
  };
}
