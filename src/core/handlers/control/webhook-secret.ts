import { createHmac } from 'node:crypto';
import type { ControlCall, ControlDeps } from './context.js';

/** Hexadecimal digits of a secret. */
const DIGITS = 48;

/**
 * Returns the secret that signs the requests of a caller's temporary webhooks. On a server for a team, each workspace has
 * its own, so that none can sign for another.
 */
export function webhookSecretFor({
  describe,
  access,
  key: { workspace },
}: Pick<ControlCall & ControlDeps, 'describe' | 'access' | 'key'>): string {
  const { webhook_secret } = describe();
  if (access === 'local' || workspace === null) return webhook_secret;
  return `whsec_${createHmac('sha256', webhook_secret).update(workspace).digest('hex').slice(0, DIGITS)}`;
}
