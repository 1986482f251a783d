import { Flags } from '@oclif/core';
import type { Client } from '../client/client.js';
import { BaseCommand } from './base-command.js';
import { openTarget, type Target, type TargetFlags } from './target.js';

/** A command that calls the service, wherever it is. */
export abstract class ClientCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    profile: Flags.string({
      description: 'Profile to use. Default: SVC_PROFILE, else the one chosen with "svc profiles use".',
      helpValue: 'NAME',
      helpGroup: 'GLOBAL',
    }),
    'base-url': Flags.string({
      description:
        'Address of the service, ending with /v1. Default: SVC_BASE_URL, else the profile’s, else the local server.',
      helpValue: 'URL',
      helpGroup: 'GLOBAL',
    }),
    'api-key': Flags.string({
      description: 'API key. Default: SVC_API_KEY, else the profile’s, else the local server’s own.',
      helpValue: 'KEY',
      helpGroup: 'GLOBAL',
    }),
    'data-dir': Flags.string({
      description:
        'Data directory of the local server. Default: SVC_DATA_DIR, else the nearest .svc/, else the user’s own.',
      helpValue: 'DIR',
      helpGroup: 'GLOBAL',
    }),
  };

  /** Runs `use` with a client for the target that flags and environment name. */
  protected async withClient<T>(flags: TargetFlags, use: (client: Client, target: Target) => Promise<T>): Promise<T> {
    const target = await openTarget(flags, process.env, process.cwd());
    if (target.kind === 'remote') this.say(`Using ${target.baseUrl}`);
    try {
      return await use(target.client, target);
    } finally {
      await target.finish();
    }
  }
}
