import type { Webhook } from '../../../contract/service/webhooks.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';

export function describeWebhook({ id, url, events, active, created_at }: Webhook): Printable {
  return fieldLines({
    id,
    url,
    events: events.join(', '),
    active: active ? 'yes' : 'no',
    created: localTime(created_at),
  });
}
