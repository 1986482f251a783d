import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const WORKERS = 16;
const ANY_PORT = { host: '127.0.0.1', port: 0 };

let app: TestApp;
let receiver: Receiver;
let smtp: { host: string; port: number };

beforeEach(async () => {
  app = await startApp({ plan: 'none' });
  receiver = await startReceiver();
  ({ smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT }));
});
afterEach(async () => {
  await app.closeClean();
  await receiver.close();
});

/** A worker of a test run, with a workspace of its own. */
class Worker {
  readonly name: string;
  readonly #number: number;
  #key = '';

  constructor(number: number) {
    this.#number = number;
    this.name = `worker-${number}`;
  }

  async start(): Promise<void> {
    const body = { name: this.name, addresses: [`*@w${this.#number}.example.test`] };
    const { status, json } = await app.call('POST', '/_svc/workspaces', body);
    expect(status).toBe(201);
    this.#key = json.data.api_key;
  }

  call(method: string, path: string, body?: unknown) {
    return app.call(method, path, body, { authorization: `Bearer ${this.#key}` });
  }

  async read(path: string) {
    const { status, json } = await this.call('GET', path);
    expect(status).toBe(200);
    return json.data;
  }

  /** Sends emails over REST with its key. */
  async sendOverRest(count: number, options: object = {}): Promise<void> {
    const email = {
      to: 'same@example.test',
      from: 'app@example.test',
      subject: this.name,
      html: `<p>${this.name}</p>`,
      ...options,
    };
    for (let n = 0; n < count; n += 1) expect((await this.call('POST', '/v1/emails', email)).status).toBe(201);
  }

  /** Sends emails over SMTP to the same address as other workers, with the name of its workspace or its key. */
  sendWithLogin(count: number, login: 'name' | 'key'): Promise<void> {
    const auth = login === 'name' ? { user: this.name, pass: 'any' } : { user: 'any', pass: this.#key };
    return this.#sendOverSmtp(count, 'same@example.test', { auth });
  }

  /** Sends emails over SMTP without a login, to an address of the workspace. */
  sendToAddress(count: number): Promise<void> {
    return this.#sendOverSmtp(count, `user@w${this.#number}.example.test`, {});
  }

  async #sendOverSmtp(count: number, to: string, options: object): Promise<void> {
    const transport = createTransport({ ...smtp, pool: true, maxConnections: 1, maxMessages: 1_000, ...options });
    const message = { from: 'app@example.test', to, subject: this.name, text: this.name };
    await Promise.all(Array.from({ length: count }, () => transport.sendMail(message)));
    transport.close();
  }
}

async function startWorkers(count: number): Promise<Worker[]> {
  const workers = Array.from({ length: count }, (_, index) => new Worker(index));
  for (const worker of workers) await worker.start();
  return workers;
}

it('keeps 25 emails of each of 16 workers apart, over REST and SMTP', async () => {
  const workers = await startWorkers(WORKERS);
  await Promise.all(
    workers.map((worker) =>
      Promise.all([
        worker.sendOverRest(10),
        worker.sendWithLogin(5, 'name'),
        worker.sendWithLogin(5, 'key'),
        worker.sendToAddress(5),
      ]),
    ),
  );
  await app.call('POST', '/_svc/settle', {});

  for (const worker of workers) {
    const { emails, pagination } = await worker.read('/v1/emails?limit=100');
    expect(pagination.total).toBe(25);
    expect(new Set(emails.map(({ subject }: { subject: string }) => subject))).toEqual(new Set([worker.name]));
    const found = await worker.read('/_svc/emails?search=subject:worker&limit=100');
    expect(found.emails.every(({ workspace }: { workspace: string }) => workspace === worker.name)).toBe(true);
    expect(found.emails).toHaveLength(25);
    const waited = await worker.call('POST', '/_svc/emails/wait', {
      ...{ query: `-subject:${worker.name}`, since: 'start', timeout_ms: 1, absent: true },
    });
    expect(waited.json.data).toMatchObject({ matched: true });
  }
  expect((await app.read('/v1/emails?limit=1')).pagination.total).toBe(WORKERS * 25);
});

it('hides the emails and webhooks of a worker from others, whatever they call', async () => {
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.sendOverRest(1);
  const { id } = (await one.read('/v1/emails')).emails[0];
  const webhook = await one.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  const hook = webhook.json.data.id;
  for (const [method, path, body] of [
    ['GET', `/v1/emails/${id}`],
    ['GET', `/_svc/emails/${id}`],
    ['GET', `/_svc/emails/${id}/captured`],
    ['GET', `/_svc/emails/${id}/raw`],
    ['DELETE', `/_svc/emails/${id}`],
    ['POST', `/_svc/emails/${id}/simulate`, { outcome: 'complained' }],
    ['DELETE', `/v1/emails/${id}`],
    ['PATCH', `/v1/webhooks/${hook}`, { active: false }],
    ['DELETE', `/v1/webhooks/${hook}`],
  ] as const) {
    expect([method, path, (await two.call(method, path, body)).status]).toEqual([method, path, 404]);
  }
  expect((await two.read('/v1/webhooks')).webhooks).toEqual([]);
  expect((await two.read('/v1/api-keys')).api_keys).toHaveLength(1);

  await two.sendOverRest(1);
  await one.sendOverRest(1);
  await app.drain();
  const bodies = (await receiver.until(1)).map(({ body }) => JSON.parse(body.toString()));
  expect(bodies.map(({ data }) => data.subject)).toEqual(['worker-0']);
  const deliveries = await two.read('/_svc/deliveries');
  expect(deliveries.deliveries).toEqual([]);
});

it('settles the emails of all workers with the key of one', async () => {
  await app.closeClean();
  app = await startApp({ plan: 'none', deliveryDelayMs: 3_600_000 });
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.sendOverRest(1);
  // More recipients than one transaction delivers to.
  const cc = Array.from({ length: 49 }, (_, index) => `cc-${index}@example.test`);
  for (let n = 0; n < 6; n += 1) await two.sendOverRest(1, { cc });

  expect((await one.call('POST', '/_svc/settle', {})).json.data).toEqual({ settled: true });
  expect((await one.read('/_svc/summary')).emails).toEqual({ delivered: 1 });
  expect((await two.read('/_svc/summary')).emails).toEqual({ delivered: 6 });
});

it('replays the events of a worker only to webhooks that get them', async () => {
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.sendOverRest(1);
  await app.drain();
  const hook = async (caller: Pick<Worker, 'call'>) =>
    (await caller.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] })).json.data.id;
  const [ofOne, ofServer] = [await hook(one), await hook(app), await hook(two)];
  const since = '2020-01-01T00:00:00Z';

  const { attempts } = (await app.call('POST', '/_svc/deliveries/replay', { since })).json.data;
  expect(attempts.map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual([ofOne, ofServer]);
  const [{ event_id }] = attempts;
  const own = await one.call('POST', '/_svc/deliveries/replay', { since });
  expect(own.json.data.attempts).toMatchObject([{ webhook_id: ofOne, event_id }]);
  expect((await two.call('POST', '/_svc/deliveries/replay', { since })).status).toBe(409);
  expect((await two.call('POST', '/_svc/deliveries/replay', { event_id })).status).toBe(404);
});

it('triggers events only for emails of the worker', async () => {
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.sendOverRest(1);
  await two.sendOverRest(1);
  const { id } = (await one.read('/v1/emails')).emails[0];
  const email_id = (await two.read('/v1/emails')).emails[0].id;
  await two.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.opened'] });
  const trigger = (body: object) => two.call('POST', '/_svc/events/trigger', { type: 'email.opened', ...body });

  expect((await trigger({ email_id })).status).toBe(201);
  await app.drain();
  expect((await receiver.until(1)).map(({ body }) => JSON.parse(body.toString()).data.email_id)).toEqual([email_id]);
  const missing = await trigger({});
  expect([missing.status, missing.json.error.message]).toEqual([
    422,
    'email_id: is required with the key of a workspace',
  ]);
  for (const body of [{ email_id: id }, { data: { email_id: id } }, { email_id, data: { email_id: id } }]) {
    const refused = await trigger(body);
    expect([refused.status, refused.json.error.message]).toEqual([404, `Email ${JSON.stringify(id)} not found.`]);
  }
  expect((await trigger({ type: 'template.deleted' })).status).toBe(403);
  const { events } = await one.read(`/_svc/emails/${id}`);
  expect(events.map(({ type }: { type: string }) => type)).not.toContain('email.opened');
});

it('counts the failing webhooks of the worker, and refuses the report and a compaction', async () => {
  const failing = await startReceiver((response) => response.writeHead(500).end());
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.call('POST', '/v1/webhooks', { url: failing.url, events: ['email.sent'] });
  await one.sendOverRest(1);
  await failing.until(1);
  await app.drain();
  expect(await one.read('/_svc/summary')).toEqual({ emails: { delivered: 1 }, unread: 1, failing_webhooks: 1 });
  expect(await two.read('/_svc/summary')).toEqual({ emails: {}, unread: 0, failing_webhooks: 0 });
  await failing.close();

  for (const [method, path, body] of [
    ['GET', '/_svc/report', undefined],
    ['POST', '/_svc/compact', {}],
  ] as const) {
    expect([path, (await two.call(method, path, body)).status]).toEqual([path, 403]);
    expect([path, (await app.call(method, path, body)).status]).toEqual([path, 200]);
  }
});

it('gives a message to a workspace only while the workspace exists, also in a session that stays open', async () => {
  const transport = createTransport({
    ...smtp,
    pool: true,
    maxConnections: 1,
    auth: { user: 'worker-0', pass: 'any' },
  });
  const send = (to: string, subject: string) =>
    transport.sendMail({ from: 'app@example.test', to, subject, text: 'x' });
  const worker = new Worker(0);
  await worker.sendToAddress(1);
  await worker.start();
  await worker.sendToAddress(1);
  await send('same@example.test', 'login');
  expect((await worker.read('/_svc/emails')).emails).toHaveLength(2);

  expect((await app.call('DELETE', '/_svc/workspaces/worker-0')).status).toBe(204);
  await send('same@example.test', 'later login');
  await worker.sendToAddress(1);
  transport.close();
  const { emails } = await app.read('/_svc/emails');
  expect(emails.map(({ workspace }: { workspace: string | null }) => workspace)).toEqual([null, null, null]);
});

it('resets only the workspace of the key', async () => {
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  for (const worker of [one, two]) {
    await worker.sendToAddress(3);
    expect((await worker.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.opened'] })).status).toBe(
      201,
    );
  }
  expect((await one.call('POST', '/_svc/reset')).status).toBe(204);
  expect((await one.read('/v1/emails')).emails).toEqual([]);
  expect((await one.read('/v1/webhooks')).webhooks).toEqual([]);
  expect((await two.read('/v1/emails')).emails).toHaveLength(3);
  expect((await two.read('/v1/webhooks')).webhooks).toHaveLength(1);
});

it('deletes a workspace with its emails and keys, and refuses what concerns the whole server', async () => {
  const [one, two] = (await startWorkers(2)) as [Worker, Worker];
  await one.sendToAddress(2);
  await two.sendToAddress(2);
  expect((await two.call('DELETE', '/_svc/workspaces/worker-0')).json.error).toMatchObject({
    code: 'authorization_error',
    message: 'The key of workspace worker-1 cannot delete workspaces.',
  });
  expect((await two.call('GET', '/_svc/export')).status).toBe(403);
  for (const [method, path, body] of [
    ['POST', '/_svc/clock/advance', { by: '2h' }],
    ['PATCH', '/_svc/clock', { frozen: true }],
  ] as const) {
    expect((await two.call(method, path, body)).json.error).toMatchObject({
      code: 'authorization_error',
      message: 'The key of workspace worker-1 cannot change the clock.',
    });
  }
  expect(await two.read('/_svc/clock')).toMatchObject({ frozen: false, offset_ms: 0 });
  expect((await two.read('/_svc/workspaces')).workspaces).toMatchObject([{ name: 'worker-1', emails: 2 }]);

  expect((await app.call('DELETE', '/_svc/workspaces/worker-0')).status).toBe(204);
  expect((await one.call('GET', '/v1/emails')).status).toBe(401);
  const { workspaces } = await app.read('/_svc/workspaces');
  expect(workspaces).toMatchObject([{ name: 'worker-1', addresses: ['*@w1.example.test'], emails: 2 }]);
  expect((await app.read('/v1/emails')).emails).toHaveLength(2);

  const again = await app.call('POST', '/_svc/workspaces', { name: 'worker-1' });
  expect([again.status, again.json.error.message]).toEqual([409, 'Workspace "worker-1" already exists.']);
  expect((await app.call('POST', '/_svc/workspaces', { name: 'Not valid' })).status).toBe(422);
  expect((await app.call('DELETE', '/_svc/workspaces/none')).json.error.message).toBe('Workspace "none" not found.');
});
