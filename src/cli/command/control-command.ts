import type { Client } from '../../client/client.js';
import { NoControlError } from '../../client/failures.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';
import { ClientCommand } from './client-command.js';

/** A command that works with a local server alone, by its control API. Any other server is refused before anything is tried. */
export abstract class ControlCommand extends ClientCommand {
  /** What there must be, for help and reference. */
  static needs = 'A local server with its control API enabled.';

  protected override withClient<T>(
    flags: TargetFlags,
    use: (client: Client, target: Target) => Promise<T>,
  ): Promise<T> {
    return super.withClient(flags, async (client, target) => {
      await requireControl(target);
      return use(client, target);
    });
  }
}

/**
 * `flag` is what needs the control API, where the command itself does not.
 * @throws NoControlError when the server has no control API. In-process there always is one.
 */
export async function requireControl({ client, kind }: Target, flag?: string): Promise<void> {
  if (kind === 'embedded') return;
  await client.requireControl().catch((error: unknown) => {
    throw error instanceof NoControlError && flag !== undefined ? error.forFlag(flag) : error;
  });
}
