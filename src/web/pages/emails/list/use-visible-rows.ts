import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Heights of rows in pixels; the style sheet has the same. */
const WIDE = { minWidth: 640, height: 60 };
const NARROW_HEIGHT = 88;

/** What is in view. */
interface View {
  /** False while the list is hidden: next to an opened email, a narrow screen has no space for it. */
  isShown: boolean;
  /** The height of each row. */
  height: number;
  /** Indexes of rows in view, the last included; there may be fewer rows. */
  first: number;
  last: number;
}

/** Follows which rows are in view: all have the same height. The list begins at `firstRow`, with a fraction. */
export function useVisibleRows(scroller: RefObject<HTMLDivElement | null>, firstRow: number) {
  // Before the list has been laid out, so that the first frame has its rows.
  const [view, setView] = useState<View>(() => ({
    isShown: true,
    height: WIDE.height,
    first: Math.floor(firstRow),
    last: Math.floor(firstRow + window.innerHeight / WIDE.height),
  }));
  const shown = useRef(view);
  shown.current = view;
  /** The first row in view, with a fraction, while the list has been laid out with the height of its rows. */
  const position = useRef(firstRow);
  const update = useCallback(() => {
    if (!scroller.current) return;
    const { scrollTop } = scroller.current;
    const next = measure(scroller.current, shown.current);
    const isSame = next.isShown === shown.current.isShown && next.height === shown.current.height;
    if (isSame && next.isShown) position.current = scrollTop / next.height;
    if (!isSame || next.first !== shown.current.first || next.last !== shown.current.last) setView(next);
  }, [scroller]);
  // Rows that change their height, and a list that was hidden, continue where they were.
  useLayoutEffect(() => {
    if (!scroller.current) return;
    if (view.isShown) scroller.current.scrollTop = position.current * view.height;
    update();
  }, [scroller, update, view.isShown, view.height]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // In the same step, so that no frame has an empty space in place of rows.
    const updateNow = () => flushSync(update);
    element.addEventListener('scroll', updateNow, { passive: true });
    const observer = new ResizeObserver(updateNow);
    observer.observe(element);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', updateNow);
    };
  }, [scroller, update]);
  const scrollTo = useCallback(
    (top: number) => {
      if (scroller.current) scroller.current.scrollTop = top;
      update();
    },
    [scroller, update],
  );
  /** Scrolls as little as a row needs to be in view, or so that it is in the middle. */
  const showRow = (index: number, inMiddle: boolean) => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const start = index * view.height;
    const end = start + view.height - clientHeight;
    if (inMiddle) scrollTo((start + end) / 2);
    else if (scrollTop > start || scrollTop < end) scrollTo(scrollTop > start ? start : end);
  };
  return { ...view, position, scrollTo, showRow };
}

function measure({ clientWidth, clientHeight, scrollTop }: HTMLElement, before: View): View {
  if (clientWidth === 0) return { ...before, isShown: false };
  const height = clientWidth >= WIDE.minWidth ? WIDE.height : NARROW_HEIGHT;
  const first = Math.floor(scrollTop / height);
  return { isShown: true, height, first, last: Math.max(first, Math.ceil((scrollTop + clientHeight) / height) - 1) };
}
