import { SignInRequired } from '../api/session.js';
import { isTabStored, tabStorage } from '../api/tab-storage.js';

/** Reloads the page once where a sign-in lacks nothing else. Without a storage, it would reload forever. */

const RELOADED = 'svc-inbox-reloaded';

/** Returns whether a sign-in failed only because a browser sends no cookie after a link from another site. */
export function needsReload(failure: unknown): boolean {
  const isMissing = failure instanceof SignInRequired && failure.method === 'reload';
  return isMissing && isTabStored && !tabStorage.getItem(RELOADED);
}

/** Allows the next reload, after a sign-in. */
export function allowReload(): void {
  tabStorage.removeItem(RELOADED);
}

export function reloadOnce(): void {
  tabStorage.setItem(RELOADED, 'yes');
  location.reload();
}
