import type { Client } from '../../client/client.js';
import { NoControlError } from '../../client/failures.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';
import { ClientCommand } from './client-command.js';

/** A command that requires a local server's control API. It refuses any other server before it changes anything. */
export abstract class ControlCommand extends ClientCommand {
  /** The command's requirement, for help and the reference. */
  static needs = 'A local server with its control API enabled.';

  protected override withClient<T>(
    flags: TargetFlags,
    use: (client: Client, target: Target) => Promise<T>,
    options: { running?: boolean } = {},
  ): Promise<T> {
    const withControl = async (client: Client, target: Target) => {
      await requireControl(target);
      return use(client, target);
    };
    return super.withClient(flags, withControl, options);
  }
}

/**
 * Checks that the target has a control API. `flag` is the flag that requires it, if the command itself does not.
 * @throws NoControlError when the server has no control API. A target in this process always has one.
 */
export async function requireControl({ client, kind }: Target, flag?: string): Promise<void> {
  if (kind === 'embedded') return;
  await client.requireControl().catch((error: unknown) => {
    throw error instanceof NoControlError && flag !== undefined ? error.forFlag(flag) : error;
  });
}
