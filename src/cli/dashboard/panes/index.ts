import { deliveries } from './deliveries.js';
import { mails } from './emails.js';
import { events } from './events.js';
import type { Pane } from './pane.js';
import { requests } from './requests.js';
import { smtp } from './smtp-sessions.js';

/** The panes in the order of the tab key. */
export const paneNames = ['mails', 'events', 'deliveries', 'requests', 'smtp'] as const;
export type PaneName = (typeof paneNames)[number];

export const panes: Record<PaneName, Pane> = { mails, events, deliveries, requests, smtp };

/** Returns a record with an entry for every pane. */
export function eachPane<Value>(make: (name: PaneName) => Value): Record<PaneName, Value> {
  return Object.fromEntries(paneNames.map((name) => [name, make(name)])) as Record<PaneName, Value>;
}
