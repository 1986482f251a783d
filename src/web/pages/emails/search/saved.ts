import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../../app/stored.js';

/** Searches that the user saved in this browser. */

const KEY = 'svc-saved-searches';
const CHANGED = 'svc-saved-searches-changed';

export function useSavedSearches(): readonly string[] {
  return parse(useSyncExternalStore(subscribe, () => readStored(KEY) ?? '[]'));
}

export function isSaved(saved: readonly string[], search: string): boolean {
  return saved.includes(search);
}

export function toggleSaved(search: string): void {
  const saved = parse(readStored(KEY) ?? '[]');
  writeStored(
    KEY,
    JSON.stringify(isSaved(saved, search) ? saved.filter((each) => each !== search) : [...saved, search]),
  );
  window.dispatchEvent(new Event(CHANGED));
}

/** Another tab may have changed them, too. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(CHANGED, listener);
  };
}

function parse(stored: string): string[] {
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
