import type { CapturedEmail } from '../../contract/control/emails/captured-email.js';
import { relativeTime } from '../output/relative-time.js';
import { oneLine } from '../output/text.js';

/** Returns how long ago an email was received, as a sentence. `now` is the machine's time in milliseconds. */
export function receivedInWords({ id, captured_at }: Pick<CapturedEmail, 'id' | 'captured_at'>, now: number): string {
  const received = relativeTime(captured_at, new Date(now).toISOString());
  return `${oneLine(id)} was received ${received === 'now' ? 'just now' : received}.`;
}
