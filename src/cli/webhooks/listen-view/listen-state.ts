import { indented } from '../../../contract/vocabulary/json.js';
import { diagnoseAttempt, succeeded } from '../../../contract/vocabulary/webhooks/attempts.js';
import { wrapLine } from '../../output/display-width.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine, safeText } from '../../output/text.js';
import { describeExchange, describeNext } from '../attempt-output.js';
import type { ListenAttempt, ListenLine, ListenReady } from '../listen/source.js';

/**
 * Holds the state of the live view of `svc webhooks listen`, and how lines and keys change it. Values that can be
 * derived are not part of it.
 */

export interface Entry {
  key: number;
  report: ListenAttempt;
}

/** `all`, `failed` or an event type. */
type Filter = string;

export interface ListenState {
  ready: ListenReady | undefined;
  /** The reason why the server is unreachable; undefined while it is connected. */
  lost: string | undefined;
  /** The attempts, oldest first. */
  entries: readonly Entry[];
  /** The selected entry; undefined selects the newest one. */
  selected: number | undefined;
  filter: Filter;
  /** The scroll position of the open entry, in lines; undefined when none is open. */
  scroll: number | undefined;
  notice: string | undefined;
}

export type Change =
  | { kind: 'line'; line: ListenLine }
  | { kind: 'move'; by: number }
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'filter' }
  | { kind: 'notice'; text: string | undefined };

/** Maximum number of entries in memory. The database contains all of them. */
const KEPT_ENTRIES = 1_000;

export const initialState: ListenState = {
  ready: undefined,
  lost: undefined,
  entries: [],
  selected: undefined,
  filter: 'all',
  scroll: undefined,
  notice: undefined,
};

export function visibleEntries({ entries, filter }: ListenState): readonly Entry[] {
  if (filter === 'all') return entries;
  if (filter === 'failed') return entries.filter(({ report }) => !succeeded(report));
  return entries.filter(({ report }) => report.type === filter);
}

/** Returns the position of the selected entry among the visible ones; -1 if all are hidden. */
export function selectedIndex(state: ListenState, visible = visibleEntries(state)): number {
  const { selected } = state;
  if (selected === undefined) return visible.length - 1;
  // If the entry was removed or filtered out: the next newer one, otherwise the newest.
  const found = visible.findIndex(({ key }) => key >= selected);
  return found === -1 ? visible.length - 1 : found;
}

export function selectedEntry(state: ListenState): Entry | undefined {
  const visible = visibleEntries(state);
  return visible[selectedIndex(state, visible)];
}

/** Returns the filters that match something, in the order in which `f` selects them. */
function filtersOf({ entries }: ListenState): Filter[] {
  return ['all', 'failed', ...[...new Set(entries.map(({ report }) => report.type))].sort()];
}

export function reduce(state: ListenState, change: Change): ListenState {
  switch (change.kind) {
    case 'line':
      return addLine(state, change.line);
    case 'move':
      return state.scroll === undefined
        ? moveSelection(state, change.by)
        : { ...state, scroll: Math.max(0, state.scroll + change.by) };
    case 'open': {
      const entry = selectedEntry(state);
      // Select this entry even if it was the newest, so that new ones do not replace it.
      return entry ? { ...state, scroll: 0, selected: entry.key } : state;
    }
    case 'close':
      return { ...state, scroll: undefined };
    case 'filter': {
      const filters = filtersOf(state);
      const next = filters[(filters.indexOf(state.filter) + 1) % filters.length] ?? 'all';
      return { ...state, filter: next, selected: undefined };
    }
    case 'notice':
      return { ...state, notice: change.text };
  }
}

function addLine(state: ListenState, line: ListenLine): ListenState {
  switch (line.event) {
    case 'ready':
      return { ...state, ready: line, lost: undefined };
    case 'lost':
      return { ...state, lost: line.reason };
    case 'reconnected':
      return { ...state, lost: undefined };
    case 'missed':
      return { ...state, notice: `skipped ${line.count} attempts; to see them, run: svc webhooks deliveries` };
    case 'refused':
      return { ...state, notice: `rejected: ${line.reason}` };
    case 'attempt': {
      const key = (state.entries.at(-1)?.key ?? 0) + 1;
      return { ...state, entries: [...state.entries, { key, report: line }].slice(-KEPT_ENTRIES) };
    }
  }
}

function moveSelection(state: ListenState, by: number): ListenState {
  const visible = visibleEntries(state);
  const index = Math.min(Math.max(selectedIndex(state, visible) + by, 0), visible.length - 1);
  // The selection at the bottom follows new entries.
  return { ...state, selected: index === visible.length - 1 ? undefined : visible[index]?.key };
}

/** Formats attempts as lines for a terminal. */

/** Minimum widths to show the duration, and the time of the next attempt. */
const WIDTH_FOR_MS = 66;
const WIDTH_FOR_NEXT = 52;

/** Formats an attempt as one row. A narrow terminal omits parts of it. */
export function attemptRow(report: ListenAttempt, width: number): string {
  const { at, type, status, duration_ms, attempt, max_attempts, next_attempt_at } = report;
  return [
    localTimeOfDay(at),
    oneLine(type).padEnd(16),
    (status === null ? 'failed' : String(status)).padEnd(6),
    ...(width >= WIDTH_FOR_MS ? [`${duration_ms} ms`.padStart(8)] : []),
    `${attempt}/${max_attempts}`,
    ...(width >= WIDTH_FOR_NEXT && next_attempt_at !== null ? [`next ${localTimeOfDay(next_attempt_at)}`] : []),
  ].join(width >= WIDTH_FOR_NEXT ? '  ' : ' ');
}

/**
 * Describes an attempt: the cause of a failure, payload, headers and response. If it is the newest of its delivery, also
 * the next attempt.
 */
export function attemptText(report: ListenAttempt, { newest = true } = {}): string {
  const why = succeeded(report)
    ? []
    : [
        `${report.error === null ? '' : `${oneLine(report.error)}: `}${oneLine(diagnoseAttempt(report))}`,
        ...(newest ? [describeNext(report)] : []),
        '',
      ];
  const exchange = describeExchange({ ...report, payload: indented(report.payload) });
  return [...why, safeText(exchange).trimEnd()].join('\n');
}

/** Returns the description of an attempt, wrapped to the width. */
export function detailLines(report: ListenAttempt, width: number): string[] {
  return attemptText(report)
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}
