import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFileChecks } from '../../../src/app/file-checks.js';
import { ROOT, svc } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

const HANGING = join(ROOT, 'test/fixtures/workers/hanging-checks.cjs');
const ENDING = join(ROOT, 'test/fixtures/workers/ending.cjs');
const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const FOR_EVER = 600_000;
/** css-tree 3.2.1 does not end the second style sheet after the first. */
const POISON = `From: a@x.test\r\nContent-Type: text/html\r\n\r\n<style>${'{}'.repeat(60)}</style><style>{}}a{b c</style><p>hello</p>\r\n`;
const COMPLEX = 'From: a@x.test\r\nSubject: =?utf-8?q?caf=C3=A9?=\r\n\r\nhttps://shop.test/\r\n';

let app: TestApp;
let smtp: { host: string; port: number };
let baseUrl: string;

async function listen(processing?: { entry: string; cpuMs?: number; deadlineMs?: number }): Promise<void> {
  app = await startApp({ ...(processing && { processing }) });
  ({ smtp, baseUrl } = await app.listen(ANY_PORT));
}

async function send(message: string): Promise<string> {
  return /msg_\w+/.exec((await deliver(smtp, message, { to: ['ada@example.test'] })) ?? '')?.[0] ?? '';
}

const check = (id: string) => app.call('GET', `/_svc/emails/${id}/checks`);

describe('an email with CSS that its parser could not finish', () => {
  afterEach(() => app.closeClean());

  it('is checked, more than once', async () => {
    await listen();
    const id = await send(POISON);
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await check(id);
      expect(status).toBe(200);
      expect(json.data.html_support).not.toBeNull();
    }
  });
});

describe('a worker that ends by itself', () => {
  afterEach(() => app.close());

  it('makes checks, frames and envelopes unavailable for now, because a retry may succeed', async () => {
    await listen({ entry: ENDING });
    const id = await send(POISON);
    const { json } = await check(id);
    expect(json.error).toMatchObject({ status: 503, message: expect.stringContaining('ended unexpectedly') });
    const { html } = (await app.call('GET', `/_svc/inbox/emails/${id}/urls`)).json.data;
    expect((await app.call('GET', html)).status).toBe(503);
    const message = 'From: a@x.test\r\nTo: ada@x.test\r\n\r\nhi\r\n';
    const captured = await app.call('POST', '/_svc/emails', message, { 'content-type': 'message/rfc822' });
    expect(captured.status).toBe(503);
  });
});

describe('checks that do not end', () => {
  afterEach(() => app.close());

  it('leave the server, parsing and other content as they are, until a stop ends them', async () => {
    await listen({ entry: HANGING, cpuMs: FOR_EVER, deadlineMs: FOR_EVER });
    const id = await send(POISON);
    const checks = [check(id), check(id), check(id)];

    expect((await app.call('GET', '/_svc/health')).status).toBe(200);
    const other = await send(COMPLEX);
    await expect.poll(async () => (await app.read(`/_svc/emails/${other}`)).links).toHaveLength(1);
    expect(await app.read(`/_svc/emails/${other}`)).toMatchObject({ subject: 'café', parsing: false });

    await app.close();
    const statuses = (await Promise.all(checks)).map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503]);
  });

  it('are stopped, with the reason and the next step over HTTP and on the command line', async () => {
    await listen({ entry: HANGING, cpuMs: 300 });
    const id = await send(POISON);
    const reason =
      'This email cannot be checked. ' + 'Processing took more than 0.3 seconds of CPU time and was stopped.';
    const hint =
      'Make the HTML and CSS of the email smaller or simpler, and send it again. ' +
      'Its source and text are still available.';
    expect((await check(id)).json).toMatchObject({
      error: { code: 'validation_error', status: 409, message: reason, hint },
    });

    const args = ['emails', 'check', id, '--fail-on', 'error', '--base-url', baseUrl];
    const { code, stdout, stderr } = await svc(args, { env: { SVC_API_KEY: TEST_KEY } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.replace(/\s+/g, ' ')).toContain(`${reason} ${hint}`);
  });
});

it('stops checks of a file that do not end, with the reason', async () => {
  const checks = createFileChecks({ entry: HANGING, cpuMs: 300 });

  const checked = await checks.checkMessage(Buffer.from(POISON)).finally(() => checks.close());

  expect(checked).toEqual({ problem: 'Processing took more than 0.3 seconds of CPU time and was stopped.' });
});
