import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { data, request } from '../support/servers/server-calls.js';

const CYCLE_MS = 155_000;
const FIRST_RETRY_MS = 5_000;

describe('a full retry cycle, by svc dev clock advance', () => {
  const directory = temporaryDirectory();
  const dataDir = ['--data-dir', directory.path];
  /** When each request arrived, in real milliseconds: the test measures the duration of the cycle. */
  const cameAt: number[] = [];
  let server: DevServer;
  let receiver: Receiver;

  beforeAll(async () => {
    server = await startDev(dataDir);
    receiver = await startReceiver((response) => {
      cameAt.push(performance.now());
      response.writeHead(503).end('busy');
    });
  });
  afterAll(async () => {
    await server.stop();
    await receiver.close();
    directory.remove();
  });

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc([...args, '--json', ...dataDir]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('makes the four attempts of 155 s in less than a second', async () => {
    await run('dev', 'clock', 'freeze');
    const { now } = await run('dev', 'clock', 'show');
    await run('webhooks', 'create', '--url', receiver.url, '--events', 'email.sent');
    const scheduled_at = new Date(Date.parse(now) + 3_600_000).toISOString();
    const sent = await request(server.ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'a@example.test', to: 'b@example.test', subject: 'Hi', html: 'Hi', scheduled_at }),
    });
    expect(sent.status).toBe(201);

    const { ran } = await run('dev', 'clock', 'advance', '2h');
    expect(ran).toMatchObject({ 'webhook.attempt': 4 });
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4']);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
    const [{ id, state }] = (await data(server.ready, '/_svc/deliveries')).deliveries;
    expect(state).toBe('failed');
    const times = (await data(server.ready, `/_svc/deliveries/${id}`)).log.map(({ at }: { at: string }) =>
      Date.parse(at),
    );
    expect(times.at(-1) - times[0]).toBe(CYCLE_MS);
    expect(times[0]).toBe(Date.parse(scheduled_at));
    // Less than the first wait alone would take, however busy the machine is.
    expect(cameAt[3]! - cameAt[0]!).toBeLessThan(FIRST_RETRY_MS);
  });
});
