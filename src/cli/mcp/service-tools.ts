import * as z from 'zod';
import type { Client } from '../../client/client.js';
import { clockEndpoints } from '../../contract/control/simulation/clock.js';
import { simulateEndpoints } from '../../contract/control/simulation/outcomes.js';
import { deliveryEndpoints } from '../../contract/control/webhooks.js';
import { templateEndpoints } from '../../contract/service/templates.js';
import { idOrLatest, idToRead } from '../command/resource-id.js';
import { locateDataDir } from '../data-dir/find.js';
import { diagnose } from '../server/diagnose.js';
import { templateId } from '../templates/find.js';
import { InvalidArgumentsError } from './results.js';
import { DESTROYS, fullId, ITEMS_DEFAULT, page, READS, type Tool, tool } from './tool.js';

/** The tools for outcomes, the clock, webhooks, templates and the server. */

const replayShape = deliveryEndpoints['deliveries.replay'].body.shape;
const advance = clockEndpoints['clock.advance'].body.shape;
const { state, event, webhook, email } = deliveryEndpoints['deliveries.list'].query.shape;

export const serviceTools: readonly Tool[] = [
  tool({
    name: 'simulate_outcome',
    title: 'Simulate an outcome',
    description:
      'Simulate a bounce, complaint, open, click or other outcome for a sent email, now or after a delay (due_at); a hard ' +
      'bounce or complaint suppresses the address.',
    command: 'emails:simulate',
    input: z.strictObject({ id: fullId, ...simulateEndpoints['emails.simulate'].body.shape }),
    annotations: DESTROYS,
    hasContent: true,
    run: ({ id, ...body }, { connect, flags }) =>
      connect(async (client) => {
        const params = { id: await idOrLatest(client, 'email', id, flags) };
        return client.control('emails.simulate', { params, body });
      }),
  }),
  tool({
    name: 'advance_clock',
    title: 'Advance the clock',
    description:
      'Advance the service’s clock, and run what falls due: scheduled emails, deferred deliveries and webhook retries; ' +
      'reset sets the clock back to the system time, but undoes nothing.',
    command: 'dev:clock:advance',
    input: z.strictObject({
      by: advance.by.optional(),
      wait: advance.wait,
      reset: z.boolean().optional().meta({ description: 'Set the clock to the system time, instead of by and wait.' }),
    }),
    annotations: DESTROYS,
    hasContent: false,
    run({ by, wait, reset = false }, { connect }) {
      if (reset && by === undefined && wait === undefined) {
        return connect((client) => client.control('clock.update', { body: { offset_ms: 0 } }));
      }
      if (reset || by === undefined) {
        throw new InvalidArgumentsError('advance_clock needs exactly one choice.', 'Pass by, or only reset: true.');
      }
      return connect((client) => client.control('clock.advance', { body: { by, wait } }));
    },
  }),
  tool({
    name: 'list_deliveries',
    title: 'List webhook deliveries',
    description: 'List webhook deliveries, newest first, or return one with the request and response of each attempt.',
    command: 'webhooks:deliveries',
    input: z.strictObject({
      id: z.string().optional().meta({ description: 'ID of one delivery (dlv_…), or latest.' }),
      ...{ state, event, webhook, email },
      ...page,
    }),
    annotations: READS,
    hasContent: true,
    run: ({ id, email, limit = ITEMS_DEFAULT, ...filters }, { connect, flags }) =>
      connect(async (client) => {
        if (id !== undefined) {
          const params = { id: await idToRead(client, 'delivery', id, flags) };
          return client.control('deliveries.get', { params });
        }
        const query = {
          ...filters,
          limit,
          email: email && (await idOrLatest(client, 'email', email, flags)),
        };
        const found = await client.control('deliveries.list', { query });
        return found.deliveries.length > 0 ? found : { ...found, note: await whyNone(client) };
      }),
  }),
  tool({
    name: 'replay_deliveries',
    title: 'Replay webhook deliveries',
    description:
      'Send a webhook delivery, an event, or all failed deliveries to their webhooks again, and return the first attempts.',
    command: 'webhooks:replay',
    // Without `to`: the text of an email could name another receiver.
    input: z.strictObject({
      delivery_id: replayShape.delivery_id,
      event_id: replayShape.event_id,
      failed: replayShape.failed,
      since: replayShape.since,
    }),
    annotations: { ...DESTROYS, openWorldHint: true },
    hasContent: true,
    run(body, { connect }) {
      const given = [body.delivery_id, body.event_id, body.failed ?? body.since].filter((each) => each !== undefined);
      if (given.length !== 1) {
        throw new InvalidArgumentsError(
          'replay_deliveries needs exactly one choice.',
          'Pass delivery_id, or event_id, or failed: true with since.',
        );
      }
      return connect((client) => client.control('deliveries.replay', { body }));
    },
  }),
  tool({
    name: 'render_template',
    title: 'Render a template',
    description: 'Render a template of the server with variables, and return its subject, HTML and text.',
    command: 'templates:render',
    input: z.strictObject({
      template: z.string().meta({ description: 'Name of the template, or its ID (tpl_…).' }),
      variables: templateEndpoints['templates.render'].body.shape.variables.optional(),
    }),
    annotations: READS,
    hasContent: false,
    run: ({ template, variables = {} }, { connect }) =>
      connect(async (client) => {
        const id = await templateId(client, template, { toRead: true });
        const { subject, text, html } = await client.call('templates.render', { params: { id }, body: { variables } });
        return { subject, text, html };
      }),
  }),
  tool({
    name: 'diagnose',
    title: 'Diagnose problems',
    description:
      'Check Node.js, the data directory, ports, the server and the API key, also while no server is running.',
    command: 'doctor',
    input: z.strictObject({}),
    annotations: READS,
    hasContent: false,
    run: async (_, { flags, connect }) => {
      const findings = await diagnose(locateDataDir(flags, process.env, process.cwd()), flags);
      // Commands also work without a running server. The other tools do not.
      await connect(async () => {}).catch(({ message, hint = null }: Error & { hint?: string | null }) => {
        findings.unshift({ check: 'tools', ok: false, found: message, fix: hint });
      });
      return { ok: findings.every(({ ok }) => ok), findings };
    },
  }),
];

/** Explains an empty list of deliveries: an agent cannot see the webhooks otherwise. */
async function whyNone(client: Client): Promise<string> {
  const { webhooks } = await client.call('webhooks.list', {});
  if (webhooks.length === 0) {
    return 'No webhook exists, so nothing is delivered. "svc webhooks create" adds one, and "svc webhooks listen" forwards to a URL.';
  }
  const named = webhooks
    .slice(0, WEBHOOKS_NAMED)
    .map(({ id, url, events }) => `${id} to ${url} for ${events.join(', ')}`);
  return `No delivery matches. Webhooks: ${named.join('; ')}.`;
}

const WEBHOOKS_NAMED = 5;
