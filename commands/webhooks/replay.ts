import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest, LATEST } from '../../src/cli/command/resource-id.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { pastTimeFlag, timeBefore } from '../../src/cli/flags/values/value-types.js';
import { describeAttempt } from '../../src/cli/webhooks/attempt-output.js';
import { forwardUrl } from '../../src/cli/webhooks/listen/options.js';
import { omitUndefined } from '../../src/contract/vocabulary/json.js';
import { succeeded } from '../../src/contract/vocabulary/webhooks/attempts.js';

export default class WebhooksReplay extends ControlCommand {
  static override summary = 'Replay a webhook delivery or event';

  static override description =
    'Sends the same bytes again, as a new delivery with its own retries. Exits with 1 if a first attempt fails.';

  static override exitCodes = { 1: 'A first attempt failed, or the server refused the replay.' };

  static override examples = [
    { description: 'Replay one delivery', command: '<%= config.bin %> webhooks replay dlv_01k9m3v5w7x9y1z3a5b7c9d1e3' },
    {
      description: 'Send the newest delivery again, to another port',
      command: '<%= config.bin %> webhooks replay latest --to :4000/hooks',
    },
    {
      description: 'Replay failed deliveries since midnight to another port',
      command: '<%= config.bin %> webhooks replay --failed --since 2026-11-21 --to :4000/hooks',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Event or delivery ID (evt_… or dlv_…), or latest for the newest delivery.' }),
  };

  static override flags = {
    failed: fills(
      'failed',
      Flags.boolean({ description: 'Replay all failed deliveries that were not replayed yet.' }),
      (set) => set || undefined,
    ),
    since: fills(
      'since',
      pastTimeFlag({
        description:
          'Replay all events from this time on, in ISO 8601 or as a duration before now; with --failed, only failed deliveries.',
      }),
    ),
    to: fills('to', Flags.string({ description: 'URL to send to instead.', helpValue: 'URL' }), (url) =>
      forwardUrl(url, '--to'),
    ),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksReplay);
    const { id: given } = args;
    if (given !== undefined && given !== LATEST && !/^(evt|dlv)_/.test(given))
      throw new UsageError('ID must be that of an event (evt_…) or a delivery (dlv_…), or latest.');
    if ((given === undefined) === !(flags.failed || flags.since)) {
      throw new UsageError(
        'Pass either an ID, or --failed or --since.',
        'Run "svc webhooks deliveries" to see the IDs.',
      );
    }
    await this.withClient(flags, async (client, { now }) => {
      const id = given && (await idOrLatest(client, 'delivery', given, flags));
      const since = flags.since && timeBefore(flags.since, now());
      const body = {
        ...omitUndefined({
          delivery_id: id?.startsWith('dlv_') ? id : undefined,
          event_id: id?.startsWith('evt_') ? id : undefined,
        }),
        ...(await requestFields(WebhooksReplay.flags, { ...flags, since })),
      };
      const { attempts } = await client.control('deliveries.replay', { body });
      this.print({ attempts }, () => attempts.map((attempt) => describeAttempt(attempt)).join(''));
      if (!attempts.every(succeeded)) process.exitCode = exitCodes.failed;
    });
  }
}
