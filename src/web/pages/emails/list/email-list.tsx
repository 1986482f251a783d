import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import {
  type FocusEventHandler,
  type KeyboardEventHandler,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useIsDrawn } from '../../../components/after-frame.js';
import styles from './email-list.module.css';
import { EmailRowView } from './email-row.js';
import { type EmailRows, type Pages, pagesAround } from './use-email-rows.js';
import type { Selection } from './use-selection.js';

/** Heights of rows in pixels; the style sheet has the same. */
const WIDE = { minWidth: 640, height: 60 };
const NARROW_HEIGHT = 88;
/** Browsers do not scroll further than about 17 million pixels. */
const MAX_PIXELS = 16_000_000;
/** Milliseconds between two reads of pages while the user scrolls: longer while the server has not yet responded. */
const READ_PAUSE_MS = { usual: 120, longest: 2_000 };

interface Props {
  rows: EmailRows;
  /** The row that the keyboard is at, and its index, -1 for none; what happens when it gets the focus or a key. */
  cursor: { id: string | undefined; index: number; onFocus: FocusEventHandler; onKeyDown: KeyboardEventHandler };
  openId: string | undefined;
  selection: Selection;
  now: number;
  hrefOf(id: string): string;
  onShown(pages: Pages): void;
  children?: ReactNode;
}

/** The rows of a list, of which only those in view exist. */
export function EmailList({ rows, cursor, openId, selection, now, hrefOf, onShown, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight(scroller);
  const count = Math.min(rows.count, Math.floor(MAX_PIXELS / height));
  const isDrawn = useIsDrawn();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: isDrawn ? 10 : 0,
    // Before the list has been laid out, so that the first frame has its rows.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row of another height moves all others
  useLayoutEffect(() => virtualizer.measure(), [height]);
  useStableRows(scroller, rows, height, virtualizer);
  const items = virtualizer.getVirtualItems();
  const isShown = items.length > 0;
  useCursorInView(cursor, isShown && cursor.index < count, virtualizer);
  const { first, last } = pagesAround(items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  useShownPages({ isShown, first, last, isReading: rows.isReading, onShown });
  const keys = keysOf(items, rows);
  // The list is one stop of the Tab key: the current row or, without one, the first in view.
  const isCursorDrawn = items.some(({ index }) => index === cursor.index);
  const tabStop = isCursorDrawn ? cursor.index : (virtualizer.range?.startIndex ?? 0);
  return (
    <div ref={scroller} className={styles.scroller} data-testid="email-list">
      <ul
        className={styles.list}
        style={{ height: count * height }}
        aria-label="Emails"
        onFocus={cursor.onFocus}
        onKeyDown={cursor.onKeyDown}
      >
        {items.map(({ index, start }, place) => {
          const email = rows.row(index);
          return (
            <li
              key={keys[place]}
              className={styles.place}
              style={{ transform: `translateY(${start}px)`, height }}
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

function useRowHeight(scroller: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(WIDE.height);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const update = () => {
      const width = element.clientWidth;
      // A list that is hidden has no width.
      if (width > 0) setHeight(width >= WIDE.minWidth ? WIDE.height : NARROW_HEIGHT);
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return height;
}

type List = Virtualizer<HTMLDivElement, Element>;

/** Scrolls to the cursor when a key or an opening moves it to another email, but not when emails arrive. */
function useCursorInView({ id, index }: Pick<Props['cursor'], 'id' | 'index'>, isPossible: boolean, list: List): void {
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (!isPossible || id === undefined || id === seen.current) return;
    seen.current = id;
    list.scrollToIndex(index, { align: 'auto' });
  }, [id, index, isPossible, list]);
}

/** Keeps what the user looks at in its position when emails arrive above it, or when rows change their height. */
function useStableRows(scroller: RefObject<HTMLDivElement | null>, rows: EmailRows, height: number, list: List): void {
  const before = useRef({ count: rows.count, isExact: rows.isExact, height });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { count: rows.count, isExact: rows.isExact, height };
    const element = scroller.current;
    if (!element) return;
    // The browser limits scrollTop to the new height at once; the list has the position until now.
    if (height !== last.height) element.scrollTop = ((list.scrollOffset ?? 0) * height) / last.height;
    const added = rows.isExact && last.isExact ? rows.count - last.count : 0;
    if (added > 0 && added < 1_000 && element.scrollTop > height / 2) element.scrollTop += added * height;
  }, [scroller, rows.count, rows.isExact, height, list]);
}

/** Returns the keys of rows: an email keeps its element, and with it the focus, when others arrive above it. */
function keysOf(items: readonly VirtualItem[], rows: EmailRows): (string | number)[] {
  const used = new Set<string>();
  return items.map(({ index }) => {
    const id = rows.row(index)?.id;
    // Two pages may overlap until both have been read again.
    if (id === undefined || used.has(id)) return index;
    used.add(id);
    return id;
  });
}
