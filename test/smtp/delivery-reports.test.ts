import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { python } from '../support/mail/delivered.js';
import { openSmtp } from '../support/mail/smtp-session.js';
import { bytes, countEmails, data, parsed } from '../support/servers/server-calls.js';

const MESSAGE =
  'From: app@example.test\r\nTo: bounced@simulator.test\r\nSubject: Gr\xfc\xdfe\r\nX-Order: 4711\r\n\r\nSecret body\r\n';

interface Report {
  type: string;
  report_type: string;
  to: string;
  auto_submitted: string;
  text: string;
  groups: Record<string, string>[];
  returned: [type: string, content: string][];
  defects: string[];
}

/** Sends a message to an address that bounces, with parameters of RFC 3461, and returns its ID. */
async function send({ smtp }: DevServer['ready'], mail: string, rcpt: string, to = 'bounced@simulator.test') {
  const session = await openSmtp(smtp);
  await session.reply();
  expect(await session.say('EHLO client.example.test')).toContain('DSN');
  expect(await session.say(`MAIL FROM:<${mail}`)).toMatch(/^250 /);
  expect(await session.say(`RCPT TO:<${to}>${rcpt}`)).toMatch(/^250 /);
  await session.say('DATA');
  session.write(Buffer.from(MESSAGE, 'latin1'));
  const reply = await session.say('.');
  session.socket.end();
  return /queued as (msg_\w+)/.exec(reply ?? '')?.[1] ?? '';
}

describe('delivery status notifications', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path, '--dsn']);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  /** Resolves once the server has nothing left to do. */
  const settled = async () => {
    const body = JSON.stringify({});
    await data(dev.ready, '/_svc/settle', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  /** Returns the newest email that was sent to an address, as Python's parser reads it. */
  const reportTo = async (address: string): Promise<Report> => {
    await settled();
    const { emails } = await data(dev.ready, `/v1/emails?to=${encodeURIComponent(address)}`);
    expect(emails).toHaveLength(1);
    return python<Report>('delivery_report.py', await bytes(dev.ready, `/_svc/emails/${emails[0].id}/raw`));
  };

  it('keeps and shows the parameters of the client', async () => {
    const id = await send(
      dev.ready,
      'a@example.test> RET=hdrs ENVID=QQ+2B1',
      ' NOTIFY=failure,DELAY ORCPT=rfc822;Ada+40example.test',
    );

    const { envelope } = await parsed(dev.ready, id);
    expect(envelope.dsn).toEqual({
      ret: 'HDRS',
      envid: 'QQ+1',
      recipients: [
        { address: 'bounced@simulator.test', notify: ['FAILURE', 'DELAY'], orcpt: 'rfc822;Ada@example.test' },
      ],
    });
    const { stdout } = await svc(['emails', 'inspect', id, '--data-dir', folder.path]);
    expect(stdout).toContain('MAIL FROM:<a@example.test> RET=HDRS ENVID=QQ+1\n');
    expect(stdout).toContain('RCPT TO:<bounced@simulator.test> NOTIFY=FAILURE,DELAY ORCPT=rfc822;Ada@example.test\n');
  });

  it('report a bounce to the sender, with the header of the message', async () => {
    await send(dev.ready, 'b@example.test> ENVID=QQ+2B1', ' NOTIFY=FAILURE ORCPT=rfc822;Ada+40example.test');

    const report = await reportTo('b@example.test');

    expect(report).toMatchObject({
      type: 'multipart/report',
      report_type: 'delivery-status',
      to: 'b@example.test',
      auto_submitted: 'auto-replied',
      defects: [],
    });
    expect(report.text).toContain('could not be delivered to <bounced@simulator.test>');
    expect(report.groups).toEqual([
      { 'Reporting-MTA': 'dns; example.test', 'Original-Envelope-Id': 'QQ+1' },
      {
        'Original-Recipient': 'rfc822;Ada@example.test',
        'Final-Recipient': 'rfc822; bounced@simulator.test',
        Action: 'failed',
        Status: expect.stringMatching(/^5\.\d+\.\d+$/),
        'Diagnostic-Code': expect.stringMatching(/^smtp; 550 5\./),
        'Last-Attempt-Date': expect.stringContaining('+0000'),
      },
    ]);
    expect(report.returned).toEqual([['text/rfc822-headers', expect.stringContaining('X-Order: 4711')]]);
    expect(report.returned[0]?.[1]).not.toContain('Secret body');
  });

  it('return the message with RET=FULL, and report failures by default', async () => {
    await send(dev.ready, 'c@example.test> RET=FULL', '');

    const report = await reportTo('c@example.test');

    expect(report.returned).toEqual([['message/rfc822', expect.stringContaining('Secret body')]]);
  });

  it.each([
    ['NOTIFY=NEVER', 'd@example.test>', ' NOTIFY=NEVER', 'bounced@simulator.test'],
    ['NOTIFY=SUCCESS', 'd@example.test>', ' NOTIFY=SUCCESS', 'bounced@simulator.test'],
    ['a delivered message', 'd@example.test>', ' NOTIFY=FAILURE', 'delivered@simulator.test'],
    ['a message without a sender', '>', ' NOTIFY=FAILURE', 'bounced@simulator.test'],
  ])('are not sent for %s', async (_, mail, rcpt, to) => {
    const before = await countEmails(dev.ready);

    await send(dev.ready, mail, rcpt, to);
    await settled();

    expect(await countEmails(dev.ready)).toBe(before + 1);
  });

  it('are sent once to an address that bounces itself, and not about a report', async () => {
    const before = await countEmails(dev.ready);

    await send(dev.ready, 'bounced@simulator.test>', '');
    await settled();

    expect(await countEmails(dev.ready)).toBe(before + 2);
  });
});

describe('a server without --dsn', () => {
  it('keeps the parameters, and sends no notifications', async () => {
    const dev = await startDev(['--in-memory']);

    const id = await send(dev.ready, 'a@example.test>', ' NOTIFY=FAILURE');
    const body = JSON.stringify({});
    await data(dev.ready, '/_svc/settle', { method: 'POST', headers: { 'content-type': 'application/json' }, body });

    expect((await parsed(dev.ready, id)).envelope.dsn.recipients).toMatchObject([{ notify: ['FAILURE'] }]);
    expect(await countEmails(dev.ready)).toBe(1);
    expect(await dev.stop()).toBe(0);
  });
});
