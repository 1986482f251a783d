import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { requireControl } from '../../src/cli/command/control-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { newWebhookSecret } from '../../src/cli/data-dir/data-dir.js';
import { readEventTypesOrAll } from '../../src/cli/flags/event-types.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { describeWebhook } from '../../src/cli/output/formatters/request.js';
import { toSign } from '../../src/cli/webhooks/signature-check.js';
import { mayHaveBeenDone } from '../../src/client/writes.js';

export default class WebhooksCreate extends ClientCommand {
  static override summary = 'Create a webhook';

  static override description =
    'Sends the given events to a URL, and signs each request. The secret is that of --secret, else SVC_WEBHOOK_SECRET; ' +
    'without either, svc generates one and prints it, also with --json. With --no-secret, requests are unsigned.';

  static override examples = [
    '<%= config.bin %> webhooks create --url http://localhost:3000/hooks --events email.delivered,email.bounced',
  ];

  static override flags = {
    url: fills(
      'url',
      Flags.string({ description: 'URL to send events to: https, or http on this machine.', required: true }),
    ),
    events: fills(
      'events',
      Flags.string({
        description: 'Event types to send, comma-separated, or all; repeatable.',
        required: true,
        multiple: true,
      }),
      (values) => readEventTypesOrAll('--events', values),
    ),
    secret: fills(
      'secret',
      Flags.string({ description: 'Secret for signing requests (default: SVC_WEBHOOK_SECRET, or a generated one).' }),
    ),
    'no-secret': Flags.boolean({ description: 'Do not sign requests.', exclusive: ['secret'] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksCreate);
    const fields = await requestFields(WebhooksCreate.flags, flags);
    const existing = fields.secret ?? (process.env.SVC_WEBHOOK_SECRET || undefined);
    const generated = existing === undefined && !flags['no-secret'] ? newWebhookSecret() : undefined;
    const secret = flags['no-secret'] ? undefined : (existing ?? generated);
    const body = { ...fields, ...(secret !== undefined && { secret }) };
    await this.withClient(flags, async (client, target) => {
      const webhook = await client.call('webhooks.create', { body }).catch((error: unknown) => {
        if (generated !== undefined && mayHaveBeenDone(error))
          this.printWarning(`The webhook may exist. Its secret is ${generated}`);
        throw error;
      });
      const signed = secret !== undefined;
      this.print({ ...webhook, ...(generated !== undefined && { secret: generated }) }, () =>
        describeWebhook(webhook, { signed, secret: generated }),
      );
      if (generated !== undefined) {
        this.info('To verify requests, set SVC_WEBHOOK_SECRET in your application. The secret is not shown again.');
        if (target.kind !== 'remote') {
          this.info(
            '"svc dev env" and "svc dev exec" set it to another secret, that of "svc webhooks listen". To use that one, ' +
              'pass --secret "$(svc webhooks secret)".',
          );
        }
      }
      if (!signed && webhook.id) this.info(toSign(webhook.id, flags));
      const canTrigger =
        target.kind !== 'remote' &&
        (await requireControl(target).then(
          () => true,
          () => false,
        ));
      if (canTrigger) this.info(`To try it, run: ${nextCommand(`webhooks trigger ${webhook.events[0]}`, flags)}`);
    });
  }
}
