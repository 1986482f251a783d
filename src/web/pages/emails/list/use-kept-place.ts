import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The email that the keyboard is at, and where the list had it last: it may have left the list. */
export interface Cursor {
  id: string | undefined;
  index: number;
}

/** Where the list was when another page was opened: it is shown there again. */
interface Place {
  scope: string;
  cursor: Cursor;
  /** The first row in view, with a fraction. */
  firstRow: number;
  /** Number of emails; undefined if it was not exact. */
  count: number | undefined;
}

const NOWHERE: Cursor = { id: undefined, index: -1 };
const KEY = ['list-place'];

function placeOf(queries: QueryClient, scope: string): Place | undefined {
  const place = queries.getQueryData<Place>(KEY);
  return place?.scope === scope ? place : undefined;
}

function keep(queries: QueryClient, scope: string, part: Partial<Place>): void {
  queries.setQueryDefaults(KEY, { gcTime: Number.POSITIVE_INFINITY });
  const before = placeOf(queries, scope) ?? { scope, cursor: NOWHERE, firstRow: 0, count: undefined };
  queries.setQueryData<Place>(KEY, { ...before, ...part });
}

/** Keeps the email that the keyboard is at. Another list, named by `scope`, starts without one. */
export function useCursor(scope: string) {
  const queries = useQueryClient();
  const [state, setState] = useState(() => ({ scope, cursor: placeOf(queries, scope)?.cursor ?? NOWHERE }));
  const cursor = state.scope === scope ? state.cursor : NOWHERE;
  useEffect(() => keep(queries, scope, { cursor }), [queries, scope, cursor]);
  return { cursor, setCursor: (cursor: Cursor) => setState({ scope, cursor }) };
}

/** Returns where the list was, after the emails that arrived since. `follow` gets where it is now. */
export function useKeptScroll(scope: string, count: number | undefined) {
  const queries = useQueryClient();
  const [place] = useState(() => placeOf(queries, scope));
  const latest = useRef<{ position?: RefObject<number>; count: number | undefined }>({ count });
  latest.current.count = count;
  useEffect(() => {
    const last = latest.current;
    return () => keep(queries, scope, { firstRow: last.position?.current ?? 0, count: last.count });
  }, [queries, scope]);
  const added = count !== undefined && place?.count !== undefined ? count - place.count : 0;
  return {
    // At the top, new emails are in view.
    firstRow: place && place.firstRow > 0.5 ? Math.max(0, place.firstRow + added) : 0,
    cursorId: place?.cursor.id,
    follow: (position: RefObject<number>) => {
      latest.current.position = position;
    },
  };
}
