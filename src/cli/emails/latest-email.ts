import type { Client } from '../../client/client.js';
import { nextCommand } from '../command/next-command.js';
import { CommandError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';

/** Returns the email id of an argument: the id itself, or that of the newest email for `latest`. */
export async function emailIdOf(argument: string, client: Client, flags: TargetFlags): Promise<string> {
  if (argument !== 'latest') return argument;
  const { emails } = await client.call('emails.list', { query: { limit: 1 } });
  const [latest] = emails;
  if (latest) return latest.id;
  const send = nextCommand('emails send --to delivered@simulator.test', flags);
  throw new CommandError('No emails yet.', `Send one with: ${send}`);
}
