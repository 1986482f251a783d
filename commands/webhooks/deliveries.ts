import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { idOrLatest, idToRead } from '../../src/cli/command/resource-id.js';
import { readEventTypes } from '../../src/cli/flags/event-types.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { moreHint, pageFlags } from '../../src/cli/flags/shared.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { describeAttempts } from '../../src/cli/webhooks/attempt-output.js';
import type { Client } from '../../src/client/client.js';
import type { ControlOperations } from '../../src/client/operations.js';
import type { DeliverySummary } from '../../src/contract/control/webhooks.js';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';

export default class WebhooksDeliveries extends ControlCommand {
  static override summary = 'List webhook deliveries, or show one';

  static override description = 'With an ID, shows every attempt with the headers and bodies of request and response.';

  static override examples = [
    '<%= config.bin %> webhooks deliveries --failed',
    '<%= config.bin %> webhooks deliveries --event email.bounced',
    '<%= config.bin %> webhooks deliveries --email latest',
    {
      description: 'Show every attempt of a delivery',
      command: '<%= config.bin %> webhooks deliveries dlv_01k9m3v5w7x9y1z3a5b7c9d1e3',
    },
  ];

  static override args = {
    id: Args.string({ description: 'ID of the delivery to show (dlv_…), its last 6 or more characters, or latest.' }),
  };

  static override flags = {
    ...pageFlags,
    failed: Flags.boolean({
      description: 'Show only failed deliveries, which have no retries left.',
      exclusive: ['pending'],
    }),
    pending: Flags.boolean({ description: 'Show only deliveries with a pending attempt.' }),
    event: fills(
      'event',
      Flags.string({ description: `Filter by event type. One of ${eventTypes.join(', ')}.`, helpValue: 'TYPE' }),
      (type) => readEventTypes('--event', [type])[0],
    ),
    email: fills('email', Flags.string({ description: 'Filter by email ID (msg_…), or latest.', helpValue: 'ID' })),
    webhook: fills(
      'webhook',
      Flags.string({ description: 'Filter by webhook ID, its last 6 or more characters, or latest.', helpValue: 'ID' }),
    ),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksDeliveries);
    const state = flags.failed ? 'failed' : flags.pending ? 'pending' : undefined;
    await this.withClient(flags, async (client) => {
      if (args.id !== undefined) {
        const id = await idToRead(client, 'delivery', args.id, flags);
        const delivery = await client.control('deliveries.get', { params: { id } });
        return this.print(delivery, () => describeAttempts(delivery));
      }
      const webhook = flags.webhook && (await idToRead(client, 'webhook', flags.webhook, flags));
      const email = flags.email && (await idOrLatest(client, 'email', flags.email, flags));
      const query = { ...(await requestFields(WebhooksDeliveries.flags, { ...flags, webhook, email })), state };
      const page = await client.control('deliveries.list', { query });
      this.print(page, () =>
        page.deliveries.length > 0 ? table(COLUMNS, page.deliveries.map(row), stdoutView(client.now)) : '',
      );
      if (page.pagination.total === 0) {
        const isFiltered = (flags.event ?? state ?? flags.webhook ?? flags.email) !== undefined;
        const pending = flags.failed ? await pendingAdvice(client, query) : '';
        this.info(`${isFiltered ? 'No deliveries match.' : 'No deliveries.'}${pending}`);
      }
      const more = moreHint(page.deliveries.length, page);
      if (more) this.info(more);
    });
  }
}

type Query = NonNullable<ControlOperations['deliveries.list']['request']['query']>;

/** Returns how many deliveries are still retried: they do not count as failed. Empty without any. */
async function pendingAdvice(client: Client, query: Query): Promise<string> {
  const pending = { ...query, state: 'pending' as const, limit: 1, offset: 0 };
  const { pagination } = await client.control('deliveries.list', { query: pending });
  if (pagination.total === 0) return '';
  return ` ${pagination.total} pending ${pagination.total === 1 ? 'has' : 'have'} attempts left: list them with --pending.`;
}

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'short id' },
  { title: 'EVENT', rank: 2, least: 16 },
  { title: 'STATE', rank: 5, kind: 'status' },
  { title: 'CREATED', rank: 7, kind: 'time' },
  { title: 'ATTEMPTS', rank: 6, kind: 'number' },
  { title: 'STATUS', rank: 3, kind: 'status' },
  { title: 'URL', rank: 4, least: 20 },
];

function row({ id, type, state, created_at, attempts, status, error, url }: DeliverySummary): string[] {
  const answer = status === null ? (error === null ? '' : 'error') : String(status);
  return [id, type, state, created_at, String(attempts), answer, url];
}
