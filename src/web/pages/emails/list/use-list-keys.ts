import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { shortcutsOf, useShortcuts } from '../../../common/shortcuts.js';
import type { EmailActions } from './use-email-actions.js';
import type { EmailRows } from './use-email-rows.js';
import type { useCursor } from './use-kept-place.js';
import type { Selection } from './use-selection.js';

interface Options extends ReturnType<typeof useCursor> {
  rows: EmailRows;
  openId: string | undefined;
  selection: Selection;
  actions: EmailActions;
  hrefOf(id: string): string;
  listHref: string;
}

/**
 * Moves through the list with the keyboard. While an email is open, its neighbors open; otherwise the focus moves.
 * Returns the index of the current row, -1 for none, the neighbors of the open email, how to close it, and what the
 * list does with the focus and the arrow keys.
 */
export function useListKeys({ cursor, setCursor, rows, openId, selection, actions, hrefOf, listHref }: Options) {
  const [, navigate] = useLocation();
  const id = openId ?? cursor.id;
  const index = id === undefined ? -1 : rows.indexOf(id);
  useEffect(() => {
    if (index >= 0 && (id !== cursor.id || index !== cursor.index)) setCursor({ id, index });
  }, [id, index, cursor, setCursor]);
  const current = rows.row(index);
  const at = { index, lastIndex: id === cursor.id ? cursor.index : -1 };
  const next = neighbor(rows, at, 1);
  const previous = neighbor(rows, at, -1);
  /** The row that gets the focus, once it exists. */
  const wanted = useRef<string>(undefined);
  const focus = (to: string | undefined, whenShown: (act: () => void) => void) => {
    if (to === undefined) return;
    setCursor({ id: to, index: rows.indexOf(to) });
    wanted.current = to;
    whenShown(() => focusRow(to, () => wanted.current === to));
  };
  const move = (to: string | undefined) => {
    // At once: Enter may follow before the next frame, and opens the row that has the focus.
    if (openId === undefined) focus(to ?? current?.id ?? rows.row(0)?.id, (act) => act());
    else if (to !== undefined) navigate(hrefOf(to));
  };
  /** Without a current row, a key goes to the first one. */
  const first = openId === undefined && index < 0 && at.lastIndex < 0 ? rows.row(0)?.id : undefined;
  const goalOf = (by: number) => (by > 0 ? next : previous) ?? first;
  /** Presses of keys that go to rows which are still being read: how many rows from the current one. */
  const waiting = useRef({ from: id, rows: 0 });
  const press = (by: 1 | -1) => {
    const to = goalOf(by);
    const last = waiting.current.from === id ? waiting.current.rows : 0;
    const goal = (index >= 0 ? index : at.lastIndex) + last + by;
    if (last === 0 && to !== undefined) move(to);
    else if ((to !== undefined || rows.isReading) && goal >= 0 && goal < rows.count)
      waiting.current = { from: id, rows: last + by };
    else if (last === 0) move(undefined);
  };
  useLayoutEffect(() => {
    const { from, rows: left } = waiting.current;
    if (left === 0) return;
    const to = goalOf(left);
    const isPossible = from === id && (to !== undefined || rows.isReading);
    if (!isPossible) waiting.current = { from: id, rows: 0 };
    else if (to !== undefined) {
      waiting.current = { from: to, rows: left - Math.sign(left) };
      move(to);
    }
  });
  /** Shows the list, at the email that was open or at another one. */
  const close = (at = openId) => {
    navigate(listHref);
    focus(at, requestAnimationFrame);
  };
  const removeCurrent = () => {
    if (!current) return;
    const after = next ?? previous;
    const stays = isElsewhere();
    actions.removeOne(current.id, () => !stays && focus(after, requestAnimationFrame));
  };
  /** A row that the Tab key reaches becomes the current one. A click opens its email, and must not move the list. */
  const onFocus = ({ target, relatedTarget: from }: FocusEvent) => {
    // Keys that move through the list have set the current row. Only the Tab key moves the focus into the list.
    const reached = from && !emailOf(from) && target.matches(':focus-visible') ? emailOf(target) : undefined;
    if (reached !== undefined && reached !== cursor.id) setCursor({ id: reached, index: rows.indexOf(reached) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, 1 | -1 | undefined>)[event.key];
    if (by === undefined || emailOf(event.target) === undefined || hasModifier(event)) return;
    event.preventDefault();
    press(by);
  };
  const hasSelection = selection.count > 0;
  useShortcuts(
    shortcutsOf('Emails', {
      j: () => press(1),
      k: () => press(-1),
      o: () => current && navigate(hrefOf(current.id)),
      x: () => current && selection.toggle(current.id, false),
      '* a': selection.selectAll,
      '* n': selection.clear,
      ...(openId !== undefined && { Escape: () => close() }),
    }),
  );
  useEmailKeys(openId === undefined, {
    toggleRead: () =>
      hasSelection ? actions.mark(!current?.read) : current && actions.markOne(current.id, !current.read),
    remove: () => (hasSelection ? actions.removeSelected() : removeCurrent()),
  });
  return { id: index >= 0 ? id : undefined, index, previous, next, close, onFocus, onKeyDown };
}

/** Registers the keys that change emails. The list has them, or else the email that is open. */
export function useEmailKeys(isOn: boolean, { toggleRead, remove }: { toggleRead(): void; remove(): void }): void {
  useShortcuts(isOn ? shortcutsOf('Emails', { e: toggleRead, '#': remove }) : []);
}

/** Returns the email after or before one. One that has left the list had its place where the next one is now. */
function neighbor(rows: EmailRows, { index, lastIndex }: { index: number; lastIndex: number }, by: 1 | -1) {
  if (index >= 0) return rows.row(index + by)?.id;
  if (lastIndex < 0) return undefined;
  return rows.row(by > 0 ? lastIndex : lastIndex - 1)?.id;
}

/** Returns whether the user is typing, or in another part of the page, where the focus must stay. */
export function isElsewhere(): boolean {
  const focused = document.activeElement;
  return focused !== document.body && !focused?.matches('a[data-email]');
}

/** Returns the ID of the email whose row this is. */
function emailOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset.email : undefined;
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/** Focuses a row, once the list is shown and scrolling has made it exist, unless another one is wanted by then. */
function focusRow(id: string, isWanted: () => boolean, attempts = 20): void {
  if (!isWanted()) return;
  const link = document.querySelector<HTMLElement>(`a[data-email="${CSS.escape(id)}"]`);
  if (link) link.focus({ preventScroll: true });
  else if (attempts > 0) requestAnimationFrame(() => focusRow(id, isWanted, attempts - 1));
}
