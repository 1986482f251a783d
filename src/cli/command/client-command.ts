import { Flags } from '@oclif/core';
import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import type { RetryNotice } from '../../client/retry.js';
import { trustDataDirFlag } from '../flags/data-dir.js';
import { oneLine } from '../output/text.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../target/network-fetch.js';
import { DEFAULT_RETRIES, openTarget, type Target, type TargetFlags } from '../target/target.js';
import { BaseCommand } from './base-command.js';

const NOT_FOUND = 404;

/** A command that calls the service, local or remote. */
export abstract class ClientCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    profile: Flags.string({
      description: 'Profile to use (default: SVC_PROFILE, or the current profile).',
      helpValue: 'NAME',
      helpGroup: 'GLOBAL',
    }),
    'base-url': Flags.string({
      description:
        'Address of the service, ending in /v1 (default: SVC_BASE_URL, the profile’s address, or the local server).',
      helpValue: 'URL',
      helpGroup: 'GLOBAL',
    }),
    'api-key': Flags.string({
      description: 'API key (default: SVC_API_KEY, the profile’s key, or the local server’s key).',
      helpValue: 'KEY',
      helpGroup: 'GLOBAL',
    }),
    'data-dir': Flags.string({
      description:
        'Data directory of the local server (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
      helpValue: 'DIR',
      helpGroup: 'GLOBAL',
    }),
    'trust-data-dir': { ...trustDataDirFlag['trust-data-dir'], helpGroup: 'GLOBAL' },
    timeout: Flags.integer({
      description: 'Time limit for each request, in seconds.',
      min: 1,
      max: 3_600,
      default: DEFAULT_TIMEOUT_SECONDS,
      helpValue: 'SECONDS',
      helpGroup: 'GLOBAL',
    }),
    retries: Flags.integer({
      description: 'Number of retries for reads and deletes after 429, 5xx or a connection error.',
      min: 0,
      max: 10,
      default: DEFAULT_RETRIES,
      helpValue: 'COUNT',
      helpGroup: 'GLOBAL',
    }),
  };

  /** Runs `use` with a client for the target that flags and environment name. */
  protected async withClient<T>(flags: TargetFlags, use: (client: Client, target: Target) => Promise<T>): Promise<T> {
    const onRetry = (notice: RetryNotice) => this.info(describeRetry(notice));
    const onWarning = (text: string) => this.printWarning(text);
    const target = await openTarget(flags, process.env, process.cwd(), { onRetry, onWarning });
    if (target.kind === 'remote') this.info(`Using ${target.baseUrl}`);
    try {
      return await use(target.client, target);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.status !== NOT_FOUND) {
        const { withFlagNames } = await import('../errors/field-to-flag.js');
        // A command without flags of its own has no `flags` property.
        throw withFlagNames(error, this.argv, this.ctor.flags ?? {});
      }
      const { suggestId } = await import('../errors/did-you-mean-id.js');
      const { id, args = {}, flags: taken = {} } = this.ctor;
      const command = { id, args: Object.keys(args), flags: Object.keys(taken) };
      const hint = await suggestId(command, this.argv, target.client);
      throw hint === undefined ? error : error.withHint(hint);
    } finally {
      await target.finish();
    }
  }
}

function describeRetry({ reason, waitMs, attempt, maxRetries }: RetryNotice): string {
  return `${oneLine(reason)}; retrying in ${waitMs / 1_000} s (${attempt} of ${maxRetries})`;
}
