import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { idOrLatest } from '../../src/cli/command/resource-id.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { readEventData, readEventTypes } from '../../src/cli/flags/event-types.js';
import { fieldLines } from '../../src/cli/output/fields.js';
import { outcomeOf, triggers } from '../../src/cli/webhooks/trigger.js';
import { ApiFailure } from '../../src/client/failures.js';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';
import { omitUndefined } from '../../src/contract/vocabulary/json.js';

const CONFLICT = 409;

export default class WebhooksTrigger extends ControlCommand {
  static override summary = 'Trigger an event';

  static override description =
    'Performs the real action: email.bounced sends an email that bounces, domain.verified adds and verifies a domain. With ' +
    '--email, the event applies to an existing email. With --data or --set, svc makes up an event: your values replace the ' +
    'sample data, and nothing else changes.';

  static override examples = [
    '<%= config.bin %> webhooks trigger email.bounced',
    '<%= config.bin %> webhooks trigger email.clicked --email latest',
    '<%= config.bin %> webhooks trigger email.bounced --set bounce_type=soft --set "reason=Mailbox full"',
  ];

  static override args = {
    event: Args.string({ description: `Event type. One of ${eventTypes.join(', ')}.`, required: true }),
  };

  static override flags = {
    email: Flags.string({ description: 'Email the event applies to: its ID (msg_…), or latest.', helpValue: 'ID' }),
    data: Flags.string({
      description: 'Event data as JSON, @FILE, or @- for stdin.',
      helpValue: 'JSON',
    }),
    set: Flags.string({
      description: 'Field of the event data to set; repeatable.',
      multiple: true,
      helpValue: 'PATH=VALUE',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksTrigger);
    const [type] = readEventTypes('EVENT', [args.event]);
    if (!type) return;
    const about = flags.email;
    if (about !== undefined && !type.startsWith('email.')) throw new UsageError(`--email cannot be used with ${type}.`);
    const generated = flags.data !== undefined || flags.set !== undefined;
    await this.withClient(flags, async (client) => {
      const id = about === undefined ? undefined : await idOrLatest(client, 'email', about, flags);
      if (generated || (id !== undefined && outcomeOf[type] === undefined)) {
        const data = await readEventData(flags.data, flags.set ?? []);
        const event = await client.control('events.trigger', {
          body: { type, data, ...omitUndefined({ email_id: id }) },
        });
        return this.print(event, () => `${event.id}  ${type}\n`);
      }
      const outcome = outcomeOf[type];
      if (id !== undefined && outcome !== undefined) {
        const body = { outcome, all: true };
        await client.control('emails.simulate', { params: { id }, body }).catch((error: unknown) => {
          if (!(error instanceof ApiFailure && error.status === CONFLICT)) throw error;
          throw error.withHint(
            `To trigger it with a new email, run: ${nextCommand(`webhooks trigger ${type}`, flags)}`,
          );
        });
        return this.print({ type, email_id: id }, () => fieldLines({ event: type, email_id: id }));
      }
      const made = await triggers[type](client);
      this.print({ type, ...made }, () => fieldLines({ event: type, ...made }));
    });
  }
}
