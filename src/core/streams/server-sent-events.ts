import type { Clock } from '../ports.js';

/** Milliseconds between heartbeats. Proxies and clients close a stream that is silent for longer. */
export const HEARTBEAT_MS = 15_000;

export function heartbeat(clock: Clock) {
  return (wake: () => void) => clock.after(HEARTBEAT_MS, wake);
}

/**
 * Formats an event of https://html.spec.whatwg.org/multipage/server-sent-events.html. `data` must not contain a line
 * break, as is the case for JSON on one line.
 */
export function serverSentEvent(data: string, { id, event }: { id?: number; event: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

export function serverSentComment(text: string): string {
  return `: ${text}\n\n`;
}
