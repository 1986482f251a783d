import { ApiFailure, NoControlError } from '../../client/failures.js';
import { nextCommand } from '../command/next-command.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';

/**
 * Returns whether requests are signed, by webhook ID. Empty for a server that does not report it: the service itself
 * never does, and a local server only through its control API.
 */
export async function signedWebhooks({ client, kind }: Target): Promise<Map<string, boolean>> {
  if (kind === 'remote') return new Map();
  try {
    const { webhooks } = await client.control('webhooks.inspect', {});
    return new Map(webhooks.map(({ id, signed }) => [id, signed]));
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return new Map();
    throw error;
  }
}

/** Returns the advice for a webhook without a secret. */
export function toSign(id: string, flags: TargetFlags): string {
  return `Requests are unsigned. To sign them, run: ${nextCommand(`webhooks update ${id} --secret SECRET`, flags)}`;
}
