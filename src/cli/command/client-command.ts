import { Flags } from '@oclif/core';
import { type Client, EARLIER_ATTEMPT } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { RetryNotice } from '../../client/retry.js';
import { DOUBTFUL, UnconfirmedError } from '../../client/writes.js';
import { failures } from '../../contract/vocabulary/errors.js';
import { type TargetFlags, targetFlags } from '../flags/target.js';
import { oneLine } from '../output/text.js';
import { openTarget, type Requirements, type Target, type TargetListeners } from '../target/target.js';
import { BaseCommand } from './base-command.js';
import { nextCommand } from './next-command.js';

const NOT_FOUND = 404;

/** A command that calls the service, local or remote. */
export abstract class ClientCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    ...targetFlags,
    // Commands that ask declare it themselves. The others accept it, so that a script can pass it to all.
    yes: Flags.boolean({ char: 'y', description: 'Accepted without effect: this command does not ask.', hidden: true }),
  };

  /**
   * Runs `use` with a client for the target that flags and environment name. With `running`, does not work in-process.
   * @throws UnreachableError with `running`, if no server is running.
   */
  protected async withClient<T>(
    flags: TargetFlags,
    use: (client: Client, target: Target) => Promise<T>,
    { onAnswer, ...requirements }: Requirements & Pick<TargetListeners, 'onAnswer'> = {},
  ): Promise<T> {
    const onRetry = (notice: RetryNotice) => this.info(describeRetry(notice));
    const onWarning = (text: string) => this.printWarning(text);
    const onNotice = (text: string) => this.info(text);
    const onDeviation = (answer: string) => this.printWarning(`The request succeeded, with ${oneLine(answer)}.`);
    const notices = { onRetry, onWarning, onNotice, onDeviation, onAnswer };
    const target = await openTarget(flags, process.env, process.cwd(), { ...notices, ...requirements });
    if (target.kind === 'remote') this.info(`Using ${target.baseUrl}`);
    try {
      return await use(target.client, target);
    } catch (error) {
      throw await this.#withAdvice(error, flags, target.client);
    } finally {
      await target.finish();
    }
  }

  /** Returns the error with the next step: how to check a write whose answer was lost, or to find what does not exist. */
  async #withAdvice(error: unknown, flags: TargetFlags, client: Client): Promise<unknown> {
    const [topic = ''] = (this.id ?? '').split(':');
    if (LISTED.has(topic)) {
      const check = `Check with "${nextCommand(`${topic} list`, flags)}" before you repeat it.`;
      const advice = [check, AFTER_LOST_ANSWER[this.id ?? ''] ?? []].flat().join(' ');
      if (error instanceof UnconfirmedError) error.advice = advice;
      if (error instanceof ApiFailure && error.hint === DOUBTFUL) {
        return error.withHint(`The request may have been carried out. ${advice}`);
      }
    }
    if (error instanceof NoControlError && flags['base-url'] !== undefined) {
      return error.withAdvice(['Omit --base-url then.', error.advice].filter(Boolean).join(' '));
    }
    if (!(error instanceof ApiFailure) || error.status !== NOT_FOUND || error.hint === EARLIER_ATTEMPT) {
      return this.namingFlags(error);
    }
    const { suggestId } = await import('../errors/did-you-mean-id.js');
    const { id, args = {}, flags: taken = {} } = this.ctor;
    const known = { id, args: Object.keys(args), flags: Object.keys(taken) };
    const next = (command: string) => nextCommand(command, flags);
    const hint = await suggestId(known, this.argv, client, next);
    if (hint !== undefined) return error.withHint(hint);
    const isGeneral = error.hint === undefined || error.hint === failures.not_found.hint;
    const isEmail = error.message.startsWith('Email ');
    const missing = error.code === 'template_not_found' ? 'templates' : isEmail ? 'emails' : topic;
    if (!isGeneral || !LISTED.has(missing)) return error;
    const isDelivery = !isEmail && 'id' in args && /^webhooks:(?:deliveries|replay)$/.test(id);
    return error.withHint(`List what exists with "${next(isDelivery ? 'webhooks deliveries' : `${missing} list`)}".`);
  }

  /** Returns an error with the flags of this command instead of the request fields that they fill. */
  protected async namingFlags(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiFailure)) return error;
    const { withFlagNames } = await import('./field-to-flag.js');
    // A command without flags of its own has no `flags` property.
    return withFlagNames(error, this.argv, this.ctor.flags ?? {});
  }
}

/** Topics whose command `list` shows what exists, and so what a write did. */
const LISTED = new Set(['emails', 'templates', 'domains', 'api-keys', 'webhooks']);

/** What to do, by command, if the answer was lost that alone contained a value. */
const AFTER_LOST_ANSWER: Record<string, string> = {
  'api-keys:create': 'If it lists the new key, revoke it: the answer had the only copy.',
  'domains:add': 'If it lists the domain, delete it and add it again, for its DNS records.',
};

function describeRetry({ reason, waitMs, attempt, maxRetries }: RetryNotice): string {
  return `${oneLine(reason)}; retrying in ${waitMs / 1_000} s (attempt ${attempt} of ${maxRetries})`;
}
