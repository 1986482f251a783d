import type { Live } from './live.js';

/** The lock of the hidden tab that stays connected. */
const LOCK = 'svc-inbox-hidden-tab';

/**
 * Disconnects hidden tabs, because a browser opens only six connections to a host. One hidden tab stays connected, for
 * its title and desktop notifications; none where the browser has no locks, as over HTTP from another machine.
 */
export function followVisibility(live: Live): void {
  let hidden = new AbortController();
  const onChange = () => {
    hidden.abort();
    if (document.hidden) {
      hidden = new AbortController();
      void whileHidden(live, hidden.signal);
    } else live.pause(false);
  };
  document.addEventListener('visibilitychange', onChange);
  onChange();
}

async function whileHidden(live: Live, shown: AbortSignal): Promise<void> {
  /** Keeps the lock until the tab is shown. */
  const stayConnected = async () => {
    if (shown.aborted) return;
    live.pause(false);
    await new Promise((resolve) => shown.addEventListener('abort', resolve));
  };
  const locks = navigator.locks as LockManager | undefined;
  const isFirst = await locks?.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await stayConnected();
    return lock !== null;
  });
  if (isFirst || shown.aborted) return;
  live.pause(true);
  // Takes over when the other tab is shown or closed. Rejects if this one is shown first.
  await locks?.request(LOCK, { signal: shown }, stayConnected).catch(() => {});
}
