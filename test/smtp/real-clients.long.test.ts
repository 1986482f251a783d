import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsUntil } from '../durability/watch.js';
import { type DevServer, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { python } from '../support/mail/delivered.js';
import { bytes, data, parsed } from '../support/servers/server-calls.js';

/** Tests delivery by independent clients; Python's email package, independent as well, reads what they sent. */

interface PythonParts {
  subject: string;
  text: string;
  html: string;
  files: { filename: string; type: string; sha256: string }[];
}

const withoutSwaks = skippedWithout('swaks');
const withoutCurl = skippedWithout('curl');

describe('a message from a real SMTP client', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', join(folder.path, 'data')]);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  it('smtplib: UTF-8 in addresses, subject, bodies and file names, an inline image, a file, several recipients', async () => {
    const { host, port } = dev.ready.smtp;
    const sent = await python<{
      sha256: string;
      subject: string;
      text: string;
      html: string;
      files: Record<string, string>;
    }>('smtplib_send.py', '', [host, String(port)]);

    const id = await newest();
    expect(sha256(await raw(id))).toBe(sent.sha256);
    const email = await data(dev.ready, `/v1/emails/${id}`);
    expect(email).toMatchObject({
      from: 'Zoë Müller <zoë@example.test>',
      subject: sent.subject,
      status: 'delivered',
      template_id: null,
    });
    expect(email.text).toBe(sent.text);
    expect(email.html.trim()).toBe(sent.html.trim());
    const inspected = await data(dev.ready, `/_svc/emails/${id}`);
    expect(inspected).toMatchObject({
      origin: 'smtp',
      parse_error: null,
      recipients: [
        { kind: 'to', mailbox: 'ada@example.test' },
        { kind: 'to', mailbox: 'lei@example.test' },
        { kind: 'cc', mailbox: 'carol@example.test' },
        { kind: 'bcc', mailbox: 'hidden@example.test' },
      ],
      attachments: [
        { filename: 'logo.png', content_type: 'image/png', content_id: 'logo' },
        { filename: 'größe.csv', content_type: 'text/csv', content_id: null },
      ],
    });
    for (const { index, filename } of inspected.attachments) {
      const content = await bytes(dev.ready, `/_svc/emails/${id}/attachments/${index}`);
      expect(sha256(content)).toBe(sent.files[filename]);
    }
    await expectAsPythonReadsIt(id);
    for (const recipient of ['ada', 'lei', 'carol', 'hidden']) {
      const { emails } = await data(dev.ready, `/v1/emails?to=${recipient}@example.test&limit=1`);
      expect(emails).toMatchObject([{ id }]);
    }
    const { emails } = await data(dev.ready, `/v1/emails?from=${encodeURIComponent('zoë@example.test')}&limit=1`);
    expect(emails).toMatchObject([{ id }]);
  });

  it('nodemailer: an inline image, files of two kinds, cc and bcc, a login', async () => {
    const { host, port } = dev.ready.smtp;
    const pdf = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256));
    const transport = createTransport({ host, port, auth: { user: 'app', pass: dev.ready.api_key } });
    await transport.sendMail({
      from: { name: 'Café „Ö“, Inc.', address: 'shop@example.test' },
      to: ['ada@example.test', 'Bob <bob@example.test>'],
      cc: 'carol@example.test',
      bcc: 'hidden@example.test',
      replyTo: 'help@example.test',
      subject: 'Bestellung № 5 – ärgerlich lang '.repeat(6),
      text: 'Grüße\n.dot\n',
      html: '<p>Grüße <img src="cid:pixel"></p>',
      attachments: [
        { filename: 'rechnung ä.pdf', content: pdf },
        { filename: 'pixel.png', content: Buffer.from('89504e47', 'hex'), cid: 'pixel' },
      ],
    });
    transport.close();

    const id = await newest();
    expect(await data(dev.ready, `/_svc/emails/${id}`)).toMatchObject({
      reply_to: 'help@example.test',
      from: '"Café „Ö“, Inc." <shop@example.test>',
      recipients: [
        { kind: 'to', mailbox: 'ada@example.test' },
        { kind: 'to', mailbox: 'bob@example.test' },
        { kind: 'cc', mailbox: 'carol@example.test' },
        { kind: 'bcc', mailbox: 'hidden@example.test' },
      ],
    });
    await expectAsPythonReadsIt(id);
    const { files } = await python<PythonParts>('parts_of.py', await raw(id));
    expect(files.find(({ filename }) => filename === 'rechnung ä.pdf')?.sha256).toBe(sha256(pdf));
  });

  it.skipIf(withoutCurl)(`curl: a file unchanged, byte for byte${withoutCurl}`, async () => {
    const file = join(folder.path, 'curl.eml');
    const message = Buffer.from(
      'From: =?utf-8?q?Caf=C3=A9?= <shop@example.test>\r\nTo: ada@example.test\r\nSubject: =?utf-8?b?4pyTIG9r?=\r\n' +
        'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n' +
        '.dot\r\n..two dots\r\ntrailing   \r\nGrüße\r\n',
    );
    writeFileSync(file, message);
    const { host, port } = dev.ready.smtp;

    const recipients = ['--mail-rcpt', 'ada@example.test', '--mail-rcpt', 'bob@example.test'];
    await runTool('curl', [
      '-sS',
      `smtp://${host}:${port}`,
      '--mail-from',
      'shop@example.test',
      ...recipients,
      '-T',
      file,
    ]);

    const id = await newest();
    expect(sha256(await raw(id))).toBe(sha256(message));
    expect(await data(dev.ready, `/v1/emails/${id}`)).toMatchObject({
      subject: '✓ ok',
      from: 'Café <shop@example.test>',
    });
    await expectAsPythonReadsIt(id);
  });

  it.skipIf(withoutSwaks)(`swaks: a file attached${withoutSwaks}`, async () => {
    const file = join(folder.path, 'data.bin');
    const content = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256));
    writeFileSync(file, content);
    const { host, port } = dev.ready.smtp;

    const mail = ['--to', 'ada@example.test,bob@example.test', '--from', 'swaks@example.test', '--body', 'hello'];
    const more = ['--h-Subject', 'From swaks', '--attach', `@${file}`, '--pipeline'];
    await runTool('swaks', ['--server', host, '--port', String(port), ...mail, ...more]);

    const id = await newest();
    const inspected = await data(dev.ready, `/_svc/emails/${id}`);
    expect(inspected).toMatchObject({ subject: 'From swaks', attachments: [{ filename: 'data.bin', size: 3_000 }] });
    expect(await bytes(dev.ready, `/_svc/emails/${id}/attachments/0`)).toEqual(content);
    await expectAsPythonReadsIt(id);
  });

  /** Returns the id of the newest email, once it is parsed and delivered to every recipient. */
  async function newest(): Promise<string> {
    const { id } = (await data(dev.ready, '/v1/emails?limit=1')).emails[0];
    const { recipients } = await parsed(dev.ready, id);
    await eventsUntil(dev.ready, 'email.delivered', new Map([[id, recipients.length]]));
    return id;
  }

  function raw(id: string): Promise<Buffer> {
    return bytes(dev.ready, `/_svc/emails/${id}/raw`);
  }

  async function expectAsPythonReadsIt(id: string): Promise<void> {
    const theirs = await python<PythonParts>('parts_of.py', await raw(id));
    const ours = await data(dev.ready, `/v1/emails/${id}`);
    const { attachments } = await data(dev.ready, `/_svc/emails/${id}`);
    const files = await Promise.all(
      attachments.map(
        async ({ index, filename, content_type }: { index: number; filename: string; content_type: string }) => ({
          filename,
          type: content_type,
          sha256: sha256(await bytes(dev.ready, `/_svc/emails/${id}/attachments/${index}`)),
        }),
      ),
    );
    const byName = (a: { filename: string }, b: { filename: string }) => a.filename.localeCompare(b.filename);
    expect({
      subject: ours.subject.trim(),
      text: ours.text.trim(),
      html: ours.html.trim(),
      files: files.sort(byName),
    }).toEqual({
      subject: theirs.subject.trim(),
      text: theirs.text.replaceAll('\r\n', '\n').trim(),
      html: theirs.html.replaceAll('\r\n', '\n').trim(),
      files: theirs.files.sort(byName),
    });
  }
});

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
