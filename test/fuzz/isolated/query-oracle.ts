import assert from 'node:assert/strict';
import { formatQuery } from '../../../src/contract/vocabulary/query/format-query.js';
import { parseQuery } from '../../../src/contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../../src/contract/vocabulary/query/query-error.js';
import { compileQuery } from '../../../src/core/search/compile-query.js';
import type { Store } from '../../../src/core/store.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emails, NOW } from '../../search/emails.js';
import { storeEmails } from '../../search/stored-emails.js';

let stores: Promise<Store[]> | undefined;

/** Opens the stores, once. */
export function prepare(): Promise<Store[]> {
  stores ??= openStores();
  return stores;
}

/** Opens a store whose emails are in the index, and one whose are not. */
async function openStores(): Promise<Store[]> {
  const opened = [openSqliteStore('memory'), openSqliteStore('memory')];
  for (const [index, store] of opened.entries()) await storeEmails(store, index === 0);
  return opened;
}

/** Parses a query or refuses it at a position, and finds the same emails in SQL as without it. */
export async function findsTheSame(text: string): Promise<string> {
  const compiled = await compiledOrRefused(text);
  if (!compiled) return 'refused';
  const again = await compileQuery(parseQuery(formatQuery(compiled.query)), { now: NOW });
  let count = 0;
  for (const store of await prepare()) {
    const documents = await store.read.emails.documents(emails.map(({ id }) => id));
    const expected: string[] = documents.filter((document) => compiled.matches(document)).map(({ id }) => id);
    const found = await store.read.emails.search(compiled, { limit: 100 });
    assert.deepEqual(found.emails.map(({ id }) => id).toReversed(), expected);
    assert.deepEqual(
      documents.filter((document) => again.matches(document)).map(({ id }) => id),
      expected,
    );
    count = expected.length;
  }
  return count === 0 ? 'none' : count === emails.length ? 'all' : 'some';
}

async function compiledOrRefused(text: string) {
  try {
    return await compileQuery(parseQuery(text), { now: NOW });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    assert.ok(error.position >= 0 && error.position <= text.length, `position ${error.position}`);
    return undefined;
  }
}
