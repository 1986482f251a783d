import type { ServiceClient } from '../../client/service-client.js';
import type { Clock } from '../api/server.js';
import { millisecondsOf } from '../durations.js';

/** Returns the functions that control the service's clock. */
export function createClock(client: ServiceClient): Clock {
  const update = (body: { now?: string; frozen?: boolean } | { offset_ms: 0 }) =>
    client.control('clock.update', { body });
  return {
    now: async () => new Date((await client.control('clock.get')).now),
    advance: (by) => client.control('clock.advance', { body: { by: `${millisecondsOf(by, 'by')}ms` } }),
    set: (time) => update({ now: textOf(time) }),
    freeze: (time) => update({ frozen: true, ...(time !== undefined && { now: textOf(time) }) }),
    reset: () => update({ offset_ms: 0 }),
  };
}

function textOf(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}
