import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { shortcutsOf } from '../../../app/shortcuts/parts.js';
import { useShortcuts } from '../../../app/shortcuts/shortcuts.js';
import type { EmailActions } from './use-email-actions.js';
import type { EmailRows } from './use-email-rows.js';
import { type Selection, useReset } from './use-selection.js';

/** The email that the keyboard is at, and where the list had it last: it may have left the list. */
interface Cursor {
  id: string | undefined;
  index: number;
}

const NOWHERE: Cursor = { id: undefined, index: -1 };

/** Another list, named by `scope`, starts without a cursor. */
export function useCursor(scope: string) {
  const [cursor, setCursor] = useState(NOWHERE);
  useReset(scope, () => setCursor(NOWHERE));
  return { cursor, setCursor };
}

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
  const focus = (to: string | undefined, whenShown: (act: () => void) => void) => {
    if (to === undefined) return;
    setCursor({ id: to, index: rows.indexOf(to) });
    whenShown(() => focusRow(to));
  };
  const move = (to: string | undefined) => {
    // At once: Enter may follow before the next frame, and opens the row that has the focus.
    if (openId === undefined) focus(to ?? current?.id ?? rows.row(0)?.id, (act) => act());
    else if (to !== undefined) navigate(hrefOf(to));
  };
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
    const to = ({ ArrowDown: next, ArrowUp: previous } as Record<string, string | undefined>)[event.key];
    if (to === undefined || emailOf(event.target) === undefined || hasModifier(event)) return;
    event.preventDefault();
    move(to);
  };
  const hasSelection = selection.count > 0;
  useShortcuts(
    shortcutsOf('Emails', {
      j: () => move(next),
      k: () => move(previous),
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

/** Focuses a row, once the list is shown and scrolling has made it exist. */
function focusRow(id: string, attempts = 20): void {
  const link = document.querySelector<HTMLElement>(`a[data-email="${CSS.escape(id)}"]`);
  if (link) link.focus({ preventScroll: true });
  else if (attempts > 0) requestAnimationFrame(() => focusRow(id, attempts - 1));
}
