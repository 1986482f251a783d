import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerPool } from '../../../src/mime/worker/pool.js';
import { ROOT } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** In this worker parsing never ends. It must not delay other messages, or what a header says. */
const HANGING = join(ROOT, 'test/fixtures/workers/hanging-parser.cjs');
const complex = (subject: string, more = '') =>
  `From: Shop <a@x.test>\r\nTo: ada@example.test\r\nSubject: =?utf-8?q?${subject}?=\r\n${more}\r\nhi\r\n`;
const SIMPLE = 'From: a@x.test\r\nSubject: quick\r\n\r\nhi\r\n';
/** Longer than a worker takes to start on a busy machine. */
const DEADLINE_MS = 3_000;
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
    app = await startApp({ processing: { entry: HANGING, deadlineMs }, parsingLimitMs: 50, onNotice });
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    return async (message: string, to = 'ada@example.test') => {
      const reply = await deliver(smtp, message, { to: [to] });
      return /msg_\w+/.exec(reply ?? '')?.[0] ?? '';
    };
  }

  const inspect = async (id: string) => (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  const marks = async (query = '') =>
    (await app.call('GET', `/_svc/emails${query}`)).json.data.emails.map(
      ({ subject, parsing }: { subject: string; parsing: boolean }) => [subject, parsing],
    );

  it('is acknowledged with the fields of its header, and marked until it is parsed', async () => {
    const send = await listen(600_000);
    const id = await send(complex('slow', 'X-Service-Tags: one, two\r\n'));

    const { json } = await app.call('GET', '/v1/emails?to=ada@example.test');
    expect(json.data.emails).toMatchObject([{ id, from: 'Shop <a@x.test>', to: 'ada@example.test', subject: 'slow' }]);
    expect(await inspect(id)).toMatchObject({ subject: 'slow', parsing: true, parse_error: null, events: [] });
    expect(await marks()).toEqual([['slow', true]]);
    expect((await app.call('GET', `/v1/emails/${id}`)).json.data).toMatchObject({
      ...{ subject: 'slow', html: '', text: '', status: 'sent', tags: ['one', 'two'] },
    });
    expect((await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'bounced' })).status).toBe(409);
  });

  it('has the time of its header, and cannot be cancelled before it is parsed', async () => {
    const send = await listen(600_000);
    const at = new Date(app.clock.now() + 3_600_000).toISOString();
    const id = await send(complex('later', `X-Service-Schedule: ${at}\r\n`));
    expect(await inspect(id)).toMatchObject({ status: 'scheduled', scheduled_at: at, parsing: true });
    expect((await app.call('DELETE', `/v1/emails/${id}`)).status).toBe(409);
  });

  it('does not delay other messages, also if many are slow', async () => {
    const send = await listen(600_000);
    const slow = [await send(complex('1')), await send(complex('2')), await send(complex('3'))];
    const quick = await send(SIMPLE);
    expect(await inspect(quick)).toMatchObject({ parsing: false, subject: 'quick', status: 'delivered' });
    expect(await marks()).toEqual([['quick', false], ...['3', '2', '1'].map((subject) => [subject, true])]);
    expect(slow).toHaveLength(3);
  });

  it('is kept with the reason when it exceeds the deadline, is not repeated, and its events begin', async () => {
    const run = vi.spyOn(WorkerPool.prototype, 'run');
    const send = await listen(DEADLINE_MS);
    const id = await send(complex('slow'));
    await expect.poll(async () => (await inspect(id)).parsing).toBe(false);
    const email = await inspect(id);
    expect(email.parse_error).toContain('longer than 3 seconds');
    expect(notices).toEqual([`Message ${id} is kept unparsed. ${email.parse_error}`]);
    expect(email.events.map(({ type }: { type: string }) => type)).toEqual(['email.sent', 'email.delivered']);
    expect(email).toMatchObject({ subject: 'slow', from: 'Shop <a@x.test>', status: 'delivered' });
    expect((await app.call('GET', '/v1/emails')).json.data.emails).toHaveLength(1);
    await app.drain();
    expect(run.mock.calls.filter(([kind]) => kind === 'parse')).toHaveLength(1);
  });

  it('is parsed before a reset deletes it', async () => {
    const send = await listen(DEADLINE_MS);
    const id = await send(complex('slow'));
    expect((await app.call('POST', '/_svc/reset', {})).status).toBe(204);
    expect((await app.call('GET', `/v1/emails/${id}`)).status).toBe(404);
    expect((await app.call('GET', '/v1/emails')).json.data.emails).toEqual([]);
    const next = await send(SIMPLE);
    expect(await inspect(next)).toMatchObject({ subject: 'quick' });
  });
});
