import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/control-command.js';
import { exitCodes, UsageError } from '../../src/cli/exit-codes.js';
import { describeAttempt, succeeded } from '../../src/cli/listen-output.js';
import { forwardUrl } from '../../src/cli/listen-wishes.js';
import { dateFlag } from '../../src/cli/value-forms.js';
import { given } from '../../src/contract/given.js';

export default class WebhooksReplay extends ControlCommand {
  static override summary = 'Send events again, byte for byte';

  static override description =
    'Each becomes a delivery of its own, with retries. Exit code 1 when a first attempt failed.';

  static override exitCodes = { 1: 'A first attempt failed, or the server refused.' };

  static override examples = [
    { description: 'One delivery', command: '<%= config.bin %> webhooks replay dlv_01k9m3v5w7x9y1z3a5b7c9d1e3' },
    {
      description: 'What failed since midnight, to another port',
      command: '<%= config.bin %> webhooks replay --failed --since 2026-11-21 --to :4000/hooks',
    },
  ];

  static override args = { id: Args.string({ description: 'An evt_ id, or a dlv_ id.' }) };

  static override flags = {
    failed: Flags.boolean({ description: 'Every delivery that failed for good.' }),
    since: dateFlag({
      description: 'Every event of this time or later, in ISO 8601; with --failed, those that failed.',
      helpValue: 'TIME',
    }),
    to: Flags.string({ description: 'Send to this URL instead.', helpValue: 'URL' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksReplay);
    const { id } = args;
    if (id !== undefined && !/^(evt|dlv)_/.test(id))
      throw new UsageError('The id must be that of an event (evt_) or of a delivery (dlv_).');
    if ((id === undefined) === !(flags.failed || flags.since)) {
      throw new UsageError('Give either an id, or --failed or --since.', 'svc webhooks deliveries shows the ids.');
    }
    const body = given({
      delivery_id: id?.startsWith('dlv_') ? id : undefined,
      event_id: id?.startsWith('evt_') ? id : undefined,
      failed: flags.failed || undefined,
      since: flags.since,
      to: flags.to === undefined ? undefined : forwardUrl(flags.to, '--to'),
    });
    await this.withClient(flags, async (client) => {
      const { attempts } = await client.control('deliveries.replay', { body });
      this.print({ attempts }, () => attempts.map(describeAttempt).join(''));
      if (!attempts.every(succeeded)) process.exitCode = exitCodes.failed;
    });
  }
}
