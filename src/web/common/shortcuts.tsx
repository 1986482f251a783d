import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** Keyboard shortcuts: each component registers its own while it is shown. */

export interface Shortcut {
  /** The key as `KeyboardEvent.key` has it, `Mod+` for Ctrl or Cmd, or two keys in sequence: `j`, `Mod+k`, `g e`. */
  keys: string;
  /** Imperative, as in a menu. */
  label: string;
  /** Heading in the list of shortcuts. */
  group: string;
  /** What the palette shows and finds besides the label. */
  content?: string | undefined;
  run(): void;
}

/** Milliseconds in which the second key of a sequence must follow. */
const SEQUENCE_MS = 1_200;

class Registry {
  readonly #shortcuts = new Map<object, readonly Shortcut[]>();
  readonly #listeners = new Set<() => void>();
  #all: readonly Shortcut[] = [];
  #first: { key: string; until: number } | undefined;
  /** The dialog that is loaded, and what was typed for it. */
  #opening: { typed: string; cancel(): void } | undefined;

  /** Suspends shortcuts until a dialog is shown, or not wanted anymore. */
  suspend(cancel: () => void): void {
    this.#opening ??= { typed: '', cancel };
  }

  /** Lets shortcuts work again. Returns the text that was typed meanwhile. */
  resume(): string {
    const typed = this.#opening?.typed ?? '';
    this.#opening = undefined;
    return typed;
  }

  set(owner: object, shortcuts: readonly Shortcut[] | undefined): void {
    if (shortcuts) this.#shortcuts.set(owner, shortcuts);
    else this.#shortcuts.delete(owner);
    this.#all = [...this.#shortcuts.values()].flat();
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): readonly Shortcut[] => this.#all;

  readonly onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    // Some keyboards have # at Alt+3.
    if (event.altKey && event.key !== '#') return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (this.#opening && !hasModifier) {
      event.preventDefault();
      this.#typeAhead(this.#opening, event.key);
      return;
    }
    if (!hasModifier && (isTyping(event.target) || isInMenu(event.target))) return;
    if (document.querySelector('dialog:modal') && !hasModifier) return;
    const key = hasModifier ? `Mod+${event.key.toLowerCase()}` : event.key;
    const sequence = this.#first && event.timeStamp < this.#first.until ? `${this.#first.key} ${key}` : undefined;
    this.#first = undefined;
    // The most recent registration wins: it belongs to what is shown on top.
    const found = this.#all.findLast(({ keys }) => keys === (sequence ?? key));
    if (found) {
      event.preventDefault();
      found.run();
    } else if (this.#all.some(({ keys }) => keys.startsWith(`${key} `))) {
      this.#first = { key, until: event.timeStamp + SEQUENCE_MS };
    }
  };

  #typeAhead(opening: { typed: string; cancel(): void }, key: string): void {
    if (key === 'Escape') {
      this.#opening = undefined;
      opening.cancel();
    } else if (key === 'Backspace') opening.typed = opening.typed.slice(0, -1);
    else if ([...key].length === 1) opening.typed += key;
  }
}

const RegistryContext = createContext<Registry | undefined>(undefined);

function useRegistry(): Registry {
  const registry = useContext(RegistryContext);
  if (!registry) throw new Error('shortcuts need a ShortcutsProvider');
  return registry;
}

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(() => new Registry(), []);
  useEffect(() => {
    document.addEventListener('keydown', registry.onKeyDown);
    return () => document.removeEventListener('keydown', registry.onKeyDown);
  }, [registry]);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

/** Registers shortcuts while the component is shown. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const registry = useRegistry();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: registers again only if keys or labels change
  useEffect(() => {
    const owner = {};
    const stable = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }));
    registry.set(owner, stable);
    return () => registry.set(owner, undefined);
  }, [registry, names]);
}

/**
 * Returns functions for a dialog that may have to be loaded: one that suspends shortcuts, and one that lets them work
 * again and returns the text that was typed meanwhile.
 */
export function useTypeAhead() {
  const registry = useRegistry();
  return useMemo(
    () => ({ suspend: (cancel: () => void) => registry.suspend(cancel), resume: () => registry.resume() }),
    [registry],
  );
}

/** Returns all shortcuts of what is shown. */
export function useAllShortcuts(): readonly Shortcut[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.all);
}

function isInMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=menu]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** The shortcuts of each part of the page by their keys: the list of all of them has those of other parts, too. */
export const parts = {
  Emails: {
    where: 'On the page Emails',
    labels: {
      '/': 'Search emails',
      j: 'Next email',
      k: 'Previous email',
      o: 'Open email',
      t: 'Go to the tabs of the open email',
      Escape: 'Close the open email',
      x: 'Select or deselect email',
      '* a': 'Select all emails',
      '* n': 'Deselect all emails',
      e: 'Mark as read or unread',
      '#': 'Delete',
    },
  },
  Deletion: { where: 'For ten seconds after a deletion', labels: { z: 'Undo the deletion' } },
  Template: { where: 'In the editor of a template', labels: { 'Mod+s': 'Save the template' } },
} as const;

type Parts = typeof parts;

/** Returns shortcuts of a part with what they do. */
export function shortcutsOf<Part extends keyof Parts>(
  part: Part,
  actions: Partial<Record<keyof Parts[Part]['labels'], () => void>>,
): Shortcut[] {
  const labels: Readonly<Record<string, string>> = parts[part].labels;
  const all = actions as Readonly<Record<string, () => void>>;
  return Object.entries(all).map(([keys, run]) => ({ keys, label: labels[keys] ?? keys, group: part, run }));
}
