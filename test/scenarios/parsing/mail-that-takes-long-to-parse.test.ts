import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerPool } from '../../../src/mime/worker/pool.js';
import { ROOT } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** In this worker parsing never ends; it must not delay the part of a message that needs no parsing. */
const HANGING = join(ROOT, 'test/fixtures/workers/hanging-parser.cjs');
const COMPLEX = 'From: a@x.test\r\nSubject: =?utf-8?q?slow?=\r\n\r\nhi\r\n';
const SIMPLE = 'From: a@x.test\r\nSubject: quick\r\n\r\nhi\r\n';
const ANY_PORT = { host: '127.0.0.1', port: 0 };

describe('a message that takes long to parse', () => {
  let app: TestApp;
  let notices: string[];
  afterEach(async () => {
    vi.restoreAllMocks();
    await app.closeClean();
  });

  async function listen(deadlineMs: number) {
    notices = [];
    const onNotice = (text: string) => notices.push(text);
    app = await startApp({ processing: { entry: HANGING, deadlineMs }, onNotice });
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    return async (message: string, to = 'ada@example.test') => {
      const reply = await deliver(smtp, message, { to: [to] });
      return /msg_\w+/.exec(reply ?? '')?.[0] ?? '';
    };
  }

  const inspect = async (id: string) => (await app.call('GET', `/_svc/emails/${id}`)).json.data;

  it('is listed with its envelope meanwhile', async () => {
    const send = await listen(600_000);
    const id = await send(COMPLEX);

    const { json } = await app.call('GET', '/v1/emails?to=ada@example.test');
    expect(json.data.emails).toMatchObject([{ id, from: 'app@example.test', to: 'ada@example.test', subject: '' }]);
    expect(await inspect(id)).toMatchObject({ parsing: true, parse_error: null, events: [], attachments: [] });
    expect((await app.call('GET', `/v1/emails/${id}`)).json.data).toMatchObject({ subject: '', html: '', text: '' });
    const simulated = await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'bounced' });
    expect(simulated.status).toBe(409);
  });

  it('does not delay other messages', async () => {
    const send = await listen(600_000);
    const slow = [await send(COMPLEX), await send(COMPLEX), await send(COMPLEX)];
    const quick = await send(SIMPLE);
    expect(await inspect(quick)).toMatchObject({ parsing: false, subject: 'quick', status: 'delivered' });
    for (const id of slow) expect(await inspect(id)).toMatchObject({ parsing: true });
    const { json } = await app.call('GET', '/v1/emails');
    expect(json.data.emails.map(({ id }: { id: string }) => id)).toEqual([quick, ...slow.toReversed()]);
  });

  it('is kept with the reason when it exceeds the deadline, is not retried, and its events begin', async () => {
    const run = vi.spyOn(WorkerPool.prototype, 'run');
    const send = await listen(3_000);
    const id = await send(COMPLEX);
    await expect.poll(async () => (await inspect(id)).parsing).toBe(false);
    const email = await inspect(id);
    expect(email.parse_error).toContain('longer than 3 seconds');
    expect(notices).toEqual([`Message ${id} is kept unparsed. ${email.parse_error}`]);
    expect(email.events.map(({ type }: { type: string }) => type)).toEqual(['email.sent', 'email.delivered']);
    expect(email).toMatchObject({ subject: '', from: 'app@example.test', status: 'delivered' });
    expect((await app.call('GET', '/v1/emails')).json.data.emails).toHaveLength(1);
    await app.drain();
    expect(run.mock.calls.filter(([kind]) => kind === 'parse')).toHaveLength(1);
  });

  it('is deleted by a reset', async () => {
    const send = await listen(600_000);
    const id = await send(COMPLEX);
    expect(await inspect(id)).toMatchObject({ parsing: true });
    await app.call('POST', '/_svc/reset', {});
    expect((await app.call('GET', '/v1/emails')).json.data.emails).toEqual([]);
    const next = await send(SIMPLE);
    expect(await inspect(next)).toMatchObject({ subject: 'quick' });
  });
});
