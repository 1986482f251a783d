import type { Webhook } from '../../../contract/service/webhooks.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';

interface Shown {
  /** Whether requests are signed; undefined if the server does not report it. */
  signed: boolean | undefined;
  /** The secret to show, because it was generated just now. */
  secret?: string | undefined;
}

export function describeWebhook(
  { id, url, events, active, created_at }: Webhook,
  { signed, secret }: Shown,
): Printable {
  return fieldLines({
    id,
    url,
    events: events.join(', '),
    // Another service may not say it.
    active: ({ true: 'yes', false: 'no' } as Record<string, string>)[String(active)],
    created: localTime(created_at),
    requests: signing(signed),
    secret,
  });
}

/** Returns "signed" or "unsigned"; empty if it is unknown. */
function signing(signed: boolean | undefined): string {
  if (signed === undefined) return '';
  return signed ? 'signed' : 'unsigned';
}
