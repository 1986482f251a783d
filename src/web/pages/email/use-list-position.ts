import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Client } from '../../../client/client.js';
import { CALL_MS } from '../../../client/time-limit.js';
import { readCursor } from '../../../contract/vocabulary/parsers/since.js';
import { useInbox } from '../../api/calls.js';

export interface ListPosition {
  search: string;
  /** The cursor of the first email of the list; undefined unless the position is needed. */
  newest: string | undefined;
  onFound(index: number): void;
}

/** Finds the position of an email that was opened by its address, so that j and k reach its neighbors in a long list. */
export function useListPosition(cursor: string, { search, newest, onFound }: ListPosition): void {
  const { client } = useInbox();
  const { data } = useQuery({
    queryKey: ['list-position', search, cursor],
    queryFn: ({ signal }) => findPosition(client, search, numberOf(cursor), numberOf(newest), signal),
    enabled: newest !== undefined,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new position is reported
  useEffect(() => {
    if (typeof data === 'number') onFound(data);
  }, [data]);
}

const numberOf = (cursor: string | undefined) => readCursor(cursor ?? '') ?? 0;

/**
 * Returns the index of the first email that is not newer than this number; null if the search stops before it. At most
 * one email has each number, so the first guess is right unless emails were deleted or do not match.
 */
async function findPosition(client: Client, search: string, number: number, newest: number, signal: AbortSignal) {
  let low = 0;
  let high = Math.max(0, newest - number);
  for (let offset = high; low < high; offset = Math.floor((low + high) / 2)) {
    const call = { query: { search, limit: 1, offset } };
    const { emails, next } = await client.control('emails.search', call, { signal, timeoutMs: CALL_MS });
    const found = numberOf(emails[0]?.cursor);
    if (found === 0 && next !== null) return null;
    if (found === number) return offset;
    if (found > number) low = offset + 1;
    else high = offset;
  }
  return high;
}
