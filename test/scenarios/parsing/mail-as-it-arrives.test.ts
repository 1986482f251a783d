import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deliver, queuedId } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests malformed messages through the doors by which they arrive. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const MESSAGE = [
  '\ufeffFrom: a@example.test',
  'To: ada@example.test',
  'Subject: Odd',
  'Content-Type: multipart/mixed boundary=m (b)',
  '',
  '--m ',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: html',
  '',
  '<p>Your code is 135790</p>',
  '--m\t',
  'Content-Type: text/plain',
  'Content-Disposition: inline; filename=note.txt',
  '',
  'note',
  '--m--  ',
  '',
].join('\r\n');

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.closeClean());

const doors: Record<string, (message: string) => Promise<string>> = {
  SMTP: async (message) => {
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    return queuedId(await deliver(smtp, message, { to: ['ada@example.test'] })) ?? '';
  },
  import: async (message) => {
    const { json } = await app.call('POST', '/_svc/emails?import_key=k', message, { 'content-type': 'message/rfc822' });
    return json.data.id;
  },
};

it.each(Object.keys(doors))(
  'reads a malformed message over %s, keeps its bytes, and announces what it repaired',
  async (door) => {
    const id = await doors[door]?.(MESSAGE);
    await vi.waitFor(
      async () => expect(await app.read(`/_svc/emails/${id}`)).toMatchObject({ parsing: false }),
      30_000,
    );
    const { json } = await app.call('GET', `/_svc/emails/${id}`);
    expect(json.data).toMatchObject({
      subject: 'Odd',
      parse_error: null,
      attachments: [{ filename: 'note.txt', content_type: 'text/plain' }],
    });
    const infos = json.data.warnings.filter(({ level }: { level: string }) => level === 'info');
    expect(infos.map(({ code }: { code: string }) => code).sort()).toEqual([
      'invalid_content_type',
      'malformed_header',
      'missing_parts',
    ]);
    expect((await app.call('GET', `/v1/emails/${id}`)).json.data.html).toContain('Your code is 135790');
    const raw = await app.http.inject({
      url: `/_svc/emails/${id}/raw`,
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    });
    expect(raw.rawPayload).toEqual(Buffer.from(MESSAGE));
  },
);

it('is not refused by a strict server for what svc repairs', async () => {
  await app.closeClean();
  app = await startApp({ strict: true });
  await app.call('POST', '/v1/domains', { domain: 'example.test' });
  const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
  expect(await deliver(smtp, MESSAGE, { to: ['ada@example.test'] })).not.toMatch(
    /malformed|missing_parts|invalid_content_type/,
  );
});

it.each([
  ['plain', 'Ada Lovelace <ada@example.test>', 'Ada Lovelace <ada@example.test>'],
  ['quoted', '"Lovelace, Ada" <ada@example.test>', '"Lovelace, Ada" <ada@example.test>'],
  ['encoded', '=?utf-8?q?Zo=C3=AB?= <ada@example.test>', 'Zoë <ada@example.test>'],
])('keeps a %s name of a recipient over SMTP, and leaves it out of events', async (_form, field, shown) => {
  const message = `From: a@example.test\r\nTo: ${field}\r\nSubject: Hi\r\n\r\nhi\r\n`;
  const id = await doors.SMTP?.(message);
  await vi.waitFor(async () => expect(await app.read(`/_svc/emails/${id}`)).toMatchObject({ parsing: false }), 30_000);
  const { recipients, events } = await app.read(`/_svc/emails/${id}`);
  expect(recipients).toMatchObject([{ kind: 'to', address: shown }]);
  expect(events[0].data.to).toBe('ada@example.test');
  expect(await app.read(`/v1/emails/${id}`)).toMatchObject({ to: shown });
});

it('composes a message without carriage returns alone from text with them', async () => {
  const email = {
    from: 'a@example.test',
    to: 'ada@example.test',
    subject: 'Hi',
    text: 'a\rb\r\nc',
    html: '<p>a\rb</p>',
  };
  const { json } = await app.call('POST', '/v1/emails', email);
  const raw = await app.http.inject({
    url: `/_svc/emails/${json.data.id}/raw`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
  });
  expect(raw.payload).not.toMatch(/\r(?!\n)|=0D(?!=0A)/);
  expect(raw.payload).toContain('a\r\nb\r\nc');
});
