import type { App } from '../../src/app/app.js';

interface LoggedEvent {
  id: string;
  type: string;
  created_at: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the payload carries, types would promise what they check
  data: any;
}

/** Reads the events of an app from now on, in order. */
export interface EventReader {
  /** Waits for the first event that `isLast` matches. Returns the unread events before it. */
  until(isLast: (event: LoggedEvent) => boolean): Promise<LoggedEvent[]>;
  stop(): Promise<void>;
}

export function readEvents(app: Pick<App, 'follow'>): EventReader {
  const stopping = new AbortController();
  const events = app.follow(stopping.signal)[Symbol.asyncIterator]();
  // Requested at once, because reading starts with the first request.
  let next = events.next();
  return {
    async until(isLast) {
      const found: LoggedEvent[] = [];
      for (;;) {
        const { value, done } = await next;
        if (done) throw new Error('the events ended');
        next = events.next();
        const event = JSON.parse(value) as LoggedEvent;
        if (isLast(event)) return found;
        found.push(event);
      }
    },
    async stop() {
      stopping.abort();
      await next;
    },
  };
}
