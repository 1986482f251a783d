import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { data, request } from '../support/servers/server-calls.js';
import { documentedReceivers, type RunningReceiver, skipReason, startDocumented } from './receivers.js';

const SECRET = 'whsec_größe, and a blank';
/** Characters that JSON writers of different makers encode differently. */
const SUBJECT = 'Grüße 👋 "quoted" <b>&amp;</b> / \\ \u00e9 e\u0301 1.0';
const EMAIL = {
  from: 'shop@example.test',
  to: 'clicked@simulator.test',
  subject: SUBJECT,
  tags: [SUBJECT],
  html: '<p><a href="https://example.test/?a=1&amp;b=ü/%2F">Go</a></p>',
};

interface Attempt {
  request_headers: Record<string, string>;
  payload: string;
  status: number;
}

interface Subscribed {
  running: RunningReceiver;
  /** The last attempt of each delivery. */
  attempts: Attempt[];
}

const receivers = documentedReceivers.map((receiver) => ({ ...receiver, skipped: skipReason(receiver) }));

/** The built binary delivers to all of them at once, and each has received every event before the tests. */
describe('the receivers of docs/webhook-receivers.md', () => {
  const directory = temporaryDirectory();
  const dataDir = ['--data-dir', directory.path];
  const subscribed = new Map<string, Subscribed>();
  let server: DevServer;

  beforeAll(async () => {
    server = await startDev(dataDir);
    for (const receiver of receivers.filter(({ skipped }) => !skipped)) {
      subscribed.set(receiver.file, { running: await startDocumented(receiver, SECRET), attempts: [] });
    }
    const webhooks = new Map<string, string>();
    for (const [file, { running }] of subscribed) {
      const args = ['--url', running.url, '--events', eventTypes.join(), '--secret', SECRET];
      webhooks.set(file, JSON.parse(await run(['webhooks', 'create', ...args])).id);
    }
    for (const type of eventTypes) await run(['webhooks', 'trigger', type]);
    const headers = { 'content-type': 'application/json' };
    const sent = await request(server.ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(EMAIL) });
    expect(sent.status).toBe(201);
    // Returns when all due work is done.
    await run(['dev', 'clock', 'advance', '1s']);
    for (const [file, { attempts }] of subscribed) {
      const { deliveries } = await data(server.ready, `/_svc/deliveries?webhook=${webhooks.get(file)}&limit=100`);
      for (const { id } of deliveries) attempts.push((await data(server.ready, `/_svc/deliveries/${id}`)).log.at(-1));
    }
  });
  afterAll(async () => {
    for (const { running } of subscribed.values()) await running.stop();
    await server?.stop();
    directory.remove();
  });

  async function run(args: string[]): Promise<string> {
    const { code, stdout, stderr } = await svc([...args, '--json', ...dataDir]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout;
  }

  it.for(receivers)('$file accepts each of the 13 events$skipped', ({ file, skipped }, context) => {
    context.skip(skipped !== '');
    const { running, attempts } = subscribed.get(file)!;
    expect(attempts.filter(({ status }) => status !== 200)).toEqual([]);
    const events = attempts.map(({ payload }) => JSON.parse(payload) as { id: string; type: string });
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes));
    // Each was read: the receiver has printed its type and id, once.
    // Two threads of a receiver can print on one line.
    const printed = running.lines.flatMap((line) => line.match(/[a-z_]+\.[a-z]+ evt_[0-9a-z]{26}/g) ?? []);
    expect(printed.toSorted()).toEqual(events.map(({ type, id }) => `${type} ${id}`).toSorted());
  });

  it.for(receivers)('$file refuses what svc did not sign$skipped', async ({ file, skipped }, context) => {
    context.skip(skipped !== '');
    const { running, attempts } = subscribed.get(file)!;
    const { payload, request_headers } = attempts.find((attempt) => attempt.payload.includes('Grüße'))!;
    const { 'X-Service-Signature': signature = '', ...unsigned } = request_headers;
    const signed = (value: string) => ({ ...unsigned, 'X-Service-Signature': value });
    const hmac = (secret: string) => createHmac('sha256', secret).update(payload).digest('hex');
    const post = async (body: string, headers: Record<string, string>) =>
      (await fetch(running.url, { method: 'POST', body, headers, redirect: 'manual' })).status;

    expect(await post(payload, request_headers)).toBe(200);
    const refused = {
      'another body': await post(payload.replace('evt_', 'evt_0'), request_headers),
      'no body': await post('', request_headers),
      'no signature': await post(payload, unsigned),
      'an empty signature': await post(payload, signed('')),
      'the signature of another secret': await post(payload, signed(hmac('whsec_other'))),
      'the signature of no secret': await post(payload, signed(hmac(''))),
      'another last digit': await post(payload, signed(signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0'))),
      'the start of the signature': await post(payload, signed(signature.slice(0, 32))),
      'a signature that is no ASCII': await post(payload, signed('é'.repeat(64))),
      'half as many characters, twice as long': await post(payload, signed('é'.repeat(32))),
    };
    for (const [what, status] of Object.entries(refused)) {
      expect([what, Math.floor(status / 100)]).toEqual([what, 4]);
    }
  });
});
