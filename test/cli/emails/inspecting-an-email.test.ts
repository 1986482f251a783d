import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { data, request } from '../../support/servers/server-calls.js';

/** Tests the details of an email that only a local server shows. */

describe('inspecting an email', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;
  let id: string;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path]);
    const response = await request(dev.ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        to: 'Ada <ada@example.test>',
        cc: 'bounced@simulator.test',
        bcc: ['eve@example.test'],
        reply_to: 'help@example.test',
        from: 'Shop <shop@example.test>',
        subject: 'Your order\u202e',
        html: '<a href="https://example.test/order">Order</a>',
        attachments: [{ filename: 'bill.pdf', content: 'YWJj', contentType: 'application/pdf' }],
      }),
    });
    ({ id } = ((await response.json()) as { data: { id: string } }).data);
    const { code, stderr } = await svc(['emails', 'wait', '--status', 'bounced', '--data-dir', folder.path]);
    expect(code, stderr).toBe(0);
  });

  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  const inspect = (...args: string[]) => svc(['emails', 'inspect', ...args, '--data-dir', folder.path]);

  it('shows every recipient with its outcome, and the rest in sections', async () => {
    const { code, stdout, stderr } = await inspect(id);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^id +msg_\w+\nstatus +bounced\norigin +rest\nfrom +Shop <shop@example\.test>\nreply-to +help@/,
    );
    expect(stdout).toContain('subject   Your order\n');
    expect(stdout).toContain(`
Recipients:
  to   delivered  Ada <ada@example.test>
  cc   bounced    bounced@simulator.test
  bcc  delivered  eve@example.test

Attachments:
  bill.pdf  application/pdf  3 bytes

Links:
  other  https://example.test/order  Order

Warnings:
  note     from: sending domain example.test has not been added [unverified_domain]
`);
    expect(stdout).toMatch(/email\.delivered +evt_\w+ {2}eve@example\.test\n/);
    expect(stdout).toMatch(/email\.bounced +evt_\w+ {2}bounced@simulator\.test {2}hard {2}\S.*mailbox.*\n/);
    expect(stdout.match(/email\.\w+(?= +evt_\w+ )/g)).toEqual(
      (await data(dev.ready, `/_svc/emails/${id}`)).events.map(({ type }: { type: string }) => type),
    );
    expect(stdout).not.toContain('Envelope:');
  });

  it('prints the server’s response with --json', async () => {
    const { code, stdout, stderr } = await inspect(id, '--json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(await data(dev.ready, `/_svc/emails/${id}`));
  });

  it('shows the envelope that SMTP delivered, and why a message could not be parsed', async () => {
    const message =
      'From: a@example.test\r\nTo: ada@example.test\r\nX-Service-Simulate: explode\r\nSubject: Hi\r\n\r\nHello\r\n';
    await deliver(dev.ready.smtp, message, {
      from: 'bounces@example.test',
      to: ['ada@example.test', 'eve@example.test'],
    });
    const { stdout } = await inspect('latest');
    const size = Buffer.byteLength(message);
    expect(stdout).toContain(`
Envelope:
  MAIL FROM:<bounces@example.test>
  RCPT TO:<ada@example.test>
  RCPT TO:<eve@example.test>
  ${size} bytes
`);
    expect(stdout).toMatch(/Recipients:\n {2}to {3}\w+ +ada@example\.test\n {2}bcc {2}\w+ +eve@example\.test\n/);
    expect(stdout).toMatch(
      /Warnings:\n[\s\S]*X-Service-Simulate: must be one of .*, not "explode"; the header is ignored/,
    );

    await deliver(
      dev.ready.smtp,
      'Content-Type: image/png; name=logo.png\r\nContent-ID: <logo@shop>\r\nSubject: Hi\r\n\r\nabc\r\n',
    );
    const attachments = await svc(['emails', 'get', 'latest', '--attachments', '--data-dir', folder.path]);
    expect(attachments.stdout).toMatch(/CONTENT-ID\n.* logo\.png +logo@shop\n$/);
    expect((await inspect('latest')).stdout).toMatch(/^ {2}logo\.png {2}image\/png {2}\d bytes {2}cid:logo@shop$/m);

    await deliver(dev.ready.smtp, 'no header\r\n');
    expect((await inspect('latest')).stdout).toContain('Parse error:\n  The message has no header fields.\n');

    await deliver(dev.ready.smtp, 'Subject: Hi\r\n\r\nHello\r\n', {
      from: 'a@example.test',
      to: ['bounce@simulator.test'],
    });
    expect((await inspect('latest')).stdout).toMatch(
      /Warnings:\n[\s\S]*bounce@\S+ does not name an outcome.*bounced@simulator\.test/,
    );
  });

  it('is suggested by emails get, on a terminal only', async () => {
    const get = (...args: string[]) => svc(['emails', 'get', id, '--data-dir', folder.path, ...args]);

    expect((await get()).stderr).toContain(`svc emails inspect ${id} --data-dir ${folder.path}\n`);
    expect((await get('--json')).stderr).toBe('');
  });

  it('needs a local server, and reports that', async () => {
    const remote = await startDev(['--in-memory', '--no-control']);
    const { base_url, api_key } = remote.ready;

    const { code, stdout, stderr } = await inspect('msg_1', '--base-url', base_url, '--api-key', api_key);

    await remote.stop();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/emails inspect.*control API/);
  });
});
