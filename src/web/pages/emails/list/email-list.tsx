import {
  type FocusEventHandler,
  type KeyboardEventHandler,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { useIsDrawn } from '../../../components/loadable.js';
import { PAGE } from '../addresses.js';
import styles from './email-list.module.css';
import { EmailRowView } from './email-row.js';
import { type EmailRows, type Pages, pagesAround } from './use-email-rows.js';
import { useKeptScroll } from './use-kept-place.js';
import type { Selection } from './use-selection.js';
import { useVisibleRows } from './use-visible-rows.js';

/** Browsers do not scroll further than about 17 million pixels. */
const MAX_PIXELS = 16_000_000;
/** Milliseconds between two reads of pages while the user scrolls: longer while the server has not yet responded. */
const READ_PAUSE_MS = { usual: 120, longest: 2_000 };

/** Rows above and below those in view that exist, too. */
const ROWS_AROUND = 10;
/** Rows next to those in view to which the list moves without a jump: as far as some presses of j go. */
const NEAR_ROWS = 5;

interface Props {
  rows: EmailRows;
  /** Names the list: it is shown again where it was. */
  scope: string;
  /** The row that the keyboard is at, and its index, -1 for none; what happens when it gets the focus or a key. */
  cursor: { id: string | undefined; index: number; onFocus: FocusEventHandler; onKeyDown: KeyboardEventHandler };
  openId: string | undefined;
  selection: Selection;
  now: number;
  hrefOf(id: string): string;
  onShown(pages: Pages): void;
  children?: ReactNode;
}

/**
 * The rows of a list. The first page exists as a whole while any of it is in view, so that the browser's search and
 * screen readers find all of it; of the others, those in view exist.
 */
export function EmailList({ rows, scope, cursor, openId, selection, now, hrefOf, onShown, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useKeptScroll(scope, rows.isExact ? rows.count : undefined);
  const list = useVisibleRows(scroller, kept.firstRow);
  const { height, isShown } = list;
  const count = Math.min(rows.count, Math.floor(MAX_PIXELS / height));
  const isDrawn = useIsDrawn();
  const { first, last } = rowsDrawn(list, count, isDrawn);
  kept.follow(list.position);
  useStableRows(rows, list);
  useCursorInView(cursor, kept.cursorId, isShown && cursor.index < count, list);
  useShownPages({ isShown, ...pagesAround(list.first, list.last), isReading: rows.isReading, onShown });
  const indexes = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const keys = keysOf(indexes, rows);
  // The list is one stop of the Tab key: the current row or, without one, the first in view.
  const isCursorDrawn = cursor.index >= first && cursor.index <= last;
  const tabStop = isCursorDrawn ? cursor.index : Math.min(list.first, last);
  return (
    <div ref={scroller} className={styles.scroller} data-testid="email-list">
      <ul
        style={{ height: count * height, paddingTop: first * height }}
        aria-label="Emails"
        onFocus={cursor.onFocus}
        onKeyDown={cursor.onKeyDown}
      >
        {indexes.map((index, place) => {
          const email = rows.row(index);
          return (
            <li
              key={keys[place]}
              className={styles.place}
              style={{ height }}
              aria-setsize={count}
              aria-posinset={index + 1}
            >
              {email ? (
                <EmailRowView
                  email={email}
                  href={hrefOf(email.id)}
                  isOpen={email.id === openId}
                  isAtCursor={index === cursor.index}
                  isTabStop={index === tabStop}
                  isSelected={selection.has(email.id)}
                  onToggle={selection.toggle}
                  now={now}
                />
              ) : (
                <div className={styles.skeleton} />
              )}
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}

interface ShownPages extends Pages, Pick<Props, 'onShown'> {
  isShown: boolean;
  isReading: boolean;
}

/** Reports the pages in view, at once or after a pause: otherwise the server would read every page that flies by. */
function useShownPages({ isShown, first, last, isReading, onShown }: ShownPages): void {
  const reported = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // Next to an opened email, a narrow screen has no space for the list.
    if (!isShown) return;
    const report = () => {
      reported.current = performance.now();
      onShown({ first, last });
    };
    const pause = reported.current + READ_PAUSE_MS[isReading ? 'longest' : 'usual'] - performance.now();
    if (pause <= 0) return report();
    const timer = setTimeout(report, pause);
    return () => clearTimeout(timer);
  }, [isShown, first, last, isReading, onShown]);
}

/** Returns the first and the last row that exist. The first frame has those in view only. */
function rowsDrawn({ first, last }: { first: number; last: number }, count: number, isDrawn: boolean) {
  const around = isDrawn ? ROWS_AROUND : 0;
  const hasFirstPage = isDrawn && first < PAGE;
  return {
    first: hasFirstPage ? 0 : Math.max(0, Math.min(first, count) - around),
    last: Math.min(count, Math.max(last + around + 1, hasFirstPage ? PAGE : 0)) - 1,
  };
}

type List = ReturnType<typeof useVisibleRows>;

/**
 * Scrolls to the cursor when a key or an opening moves it to another email, but not when emails arrive. An email that
 * is opened by its address, or far from what is in view, gets into the middle.
 */
function useCursorInView(
  { id, index }: Pick<Props['cursor'], 'id' | 'index'>,
  keptId: string | undefined,
  isPossible: boolean,
  { first, last, showRow }: List,
): void {
  const seen = useRef(keptId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the cursor moves the list
  useEffect(() => {
    if (!isPossible || id === undefined || id === seen.current) return;
    const near = seen.current === undefined ? 0 : NEAR_ROWS;
    seen.current = id;
    showRow(index, index < first - near || index > last + near);
  }, [id, index, isPossible]);
}

/** Keeps what the user looks at in its position when emails arrive above it. */
function useStableRows(rows: EmailRows, { height, position, scrollTo }: List): void {
  const before = useRef({ count: rows.count, isExact: rows.isExact });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { count: rows.count, isExact: rows.isExact };
    const added = rows.isExact && last.isExact ? rows.count - last.count : 0;
    if (added > 0 && added < 1_000 && position.current > 0.5) scrollTo((position.current + added) * height);
  }, [rows.count, rows.isExact, height, position, scrollTo]);
}

/** Returns the keys of rows: an email keeps its element, and with it the focus, when others arrive above it. */
function keysOf(indexes: readonly number[], rows: EmailRows): (string | number)[] {
  const used = new Set<string>();
  return indexes.map((index) => {
    const id = rows.row(index)?.id;
    // Two pages may overlap until both have been read again.
    if (id === undefined || used.has(id)) return index;
    used.add(id);
    return id;
  });
}
