import { useCallback, useMemo, useRef, useState } from 'react';
import type { EmailRows } from './use-email-rows.js';

/** The emails that the user selected in the list: some of them, or all that match the search. */
export interface Selection {
  count: number;
  isAll: boolean;
  /** Whether the server can change all that are listed in one call. */
  canSelectAll: boolean;
  ids: ReadonlySet<string>;
  has(id: string): boolean;
  /**
   * Selects or deselects an email; `extend` does the same to all between it and the one before. While all are selected,
   * it deselects all: those that are not loaded have no IDs here.
   */
  toggle(id: string, extend: boolean): void;
  deselect(id: string): void;
  selectAll(): void;
  clear(): void;
}

interface Options {
  rows: EmailRows;
  /** The list that is shown: another one starts with nothing selected. */
  scope: string;
  /** Whether the server can change all of a list like this in one call. */
  canSelectAll: boolean;
}

export function useSelection({ rows, scope, ...options }: Options): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const anchor = useRef<string>(undefined);
  const latest = useRef({ rows, isAll });
  latest.current = { rows, isAll };
  const clear = useCallback(() => {
    setIds(new Set());
    setAll(false);
  }, []);
  useReset(scope, clear);
  const toggle = useCallback(
    (id: string, extend: boolean) => {
      const { rows: listed, isAll: wasAll } = latest.current;
      if (wasAll) return clear();
      const range = extend ? idsBetween(listed, anchor.current, id) : [id];
      anchor.current = id;
      setIds((selected) => changed(selected, range, !selected.has(id)));
    },
    [clear],
  );
  const canSelectAll = options.canSelectAll && rows.count > 0;
  return useMemo(
    () => ({
      count: isAll ? rows.count : ids.size,
      isAll,
      canSelectAll,
      ids,
      has: (id) => isAll || ids.has(id),
      toggle,
      deselect: (id) => setIds((selected) => changed(selected, [id], false)),
      selectAll: () => canSelectAll && setAll(true),
      clear,
    }),
    [ids, isAll, rows.count, canSelectAll, toggle, clear],
  );
}

/** Calls `reset`, which sets states of the same component, when the scope changes. */
export function useReset(scope: string, reset: () => void): void {
  const [current, setCurrent] = useState(scope);
  if (current === scope) return;
  setCurrent(scope);
  reset();
}

/** Returns the loaded emails between two, which may have moved since the first was chosen. */
function idsBetween(rows: EmailRows, first: string | undefined, last: string): string[] {
  const to = rows.indexOf(last);
  const from = first === undefined ? -1 : rows.indexOf(first);
  if (from < 0 || to < 0) return [last];
  const start = Math.min(from, to);
  const indexes = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => start + index);
  return indexes.flatMap((index) => rows.row(index)?.id ?? []);
}

function changed(selected: ReadonlySet<string>, ids: readonly string[], select: boolean): ReadonlySet<string> {
  return select ? new Set([...selected, ...ids]) : new Set([...selected].filter((id) => !ids.includes(id)));
}
