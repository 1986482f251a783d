import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readEventsSoFar, readServerSentEvents } from '../../src/client/event-source.js';
import { type DevServer, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { type Listening, startListening } from '../support/cli/listening.js';
import { openDashboard } from '../support/cli/terminal/dashboard.js';
import { deliver } from '../support/mail/smtp-session.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { data } from '../support/servers/server-calls.js';

/**
 * Tests characters that JavaScript treats as a line's end and an event stream does not, in email that anyone can send.
 */

const SEPARATORS = { 'U+2028': '\u2028', 'U+2029': '\u2029', 'U+0085': '\u0085' };

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
const mail = (subject: string) => `Subject: ${encoded(subject)}\r\n\r\nx\r\n`;

describe('an event whose text contains a line separator of Unicode', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;
  let receiver: Receiver;
  let listening: Listening | undefined;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path, '--plan', 'none']);
    receiver = await startReceiver((response) => response.writeHead(200).end());
  });
  afterEach(() => {
    listening?.child.kill('SIGKILL');
  });
  afterAll(async () => {
    await receiver.close();
    await dev.stop();
    folder.remove();
  });

  it('is printed by webhooks listen --json, each attempt on one line', async () => {
    const env = { SVC_DATA_DIR: folder.path };
    listening = await startListening(['--forward-to', receiver.url, '--events', 'email.sent'], { env });
    const subjects = [...Object.values(SEPARATORS), 'last'].map((separator) => `before${separator}after`);

    for (const subject of subjects) await deliver(dev.ready.smtp, mail(subject));
    const ids = (await data(dev.ready, '/v1/emails')).emails.map(({ id }: { id: string }) => id);

    // Messages are parsed in parallel, so their events arrive in any order.
    const missing = new Set(ids);
    const lines = await listening.until((line) => {
      missing.delete(JSON.parse(line.payload ?? '{}').data?.email_id);
      return missing.size === 0;
    });
    const printed = lines.flatMap(({ payload }) => (payload ? [JSON.parse(payload).data.email_id] : []));
    expect(printed.toSorted()).toEqual(ids.toSorted());
  });

  it('does not stop the dashboard’s pane of events', async () => {
    const own = temporaryDirectory();
    const dashboard = await openDashboard(own.path, { args: ['--plan', 'none'] });
    try {
      await dashboard.until(/No emails yet/);
      const { smtp } = dashboard.address();
      for (const separator of Object.values(SEPARATORS)) await deliver(smtp, mail(`a${separator}b`));
      await deliver(smtp, mail('c'), { to: ['last@example.test'] });

      dashboard.press('2');

      await dashboard.until(/\[Events \d+\][\s\S]*email\.delivered +last@example\.test/);
    } finally {
      await dashboard.close();
      own.remove();
    }
  });
});

describe('an event stream', () => {
  const stream = [
    '\ufeffid: 1\nevent: first\ndata: a\u2028b\u2029c\u0085d\n\n',
    'id: 2\r\ndata:one\r\ndata: two\r\n\r\n',
    'id\rdata: three\r\r',
    'data\n\n',
    ': a comment\n\n',
    'id: 3\ndata: after\n\n',
    'data: never ended\n',
  ].join('');
  const events = [
    { id: '1', event: 'first', data: 'a\u2028b\u2029c\u0085d' },
    { id: '2', event: 'message', data: 'one\ntwo' },
    { id: '', event: 'message', data: 'three' },
    { id: undefined, event: 'message', data: '' },
    { id: '3', event: 'message', data: 'after' },
  ];

  it.each([1, 2, 3, 7, 1_000])('is read as the standard requires in pieces of %i bytes', async (size) => {
    const read: unknown[] = [];
    for await (const event of readServerSentEvents(pieces(stream, size))) read.push(event);
    expect(read).toEqual(events);

    const soFar: unknown[] = [];
    for await (const event of readEventsSoFar(pieces(stream, size))) soFar.push(event);
    expect(soFar).toEqual(events.slice(0, 4));
  });

  async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
});
