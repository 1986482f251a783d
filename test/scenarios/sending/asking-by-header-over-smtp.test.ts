import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliverAll } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests the headers with which an SMTP message requests what fields request over REST. */

let app: TestApp;
let smtp: { host: string; port: number };

async function start(options: Parameters<typeof startApp>[0] = {}): Promise<void> {
  app = await startApp(options);
  const address = { host: '127.0.0.1', port: 0 };
  smtp = (await app.listen({ http: address, smtp: address })).smtp;
}

beforeEach(() => start());
afterEach(() => app.closeClean());

/** Delivers a message. Returns the last reply, and the ID of an accepted one. */
async function deliver(message: string, to = ['ada@example.test']): Promise<{ reply: string; id: string }> {
  const bytes = Buffer.from(message.replace(/\r?\n/g, '\r\n'));
  const [reply = ''] = await deliverAll(smtp, [{ bytes, to }]);
  const [id = ''] = /msg_\w+/.exec(reply) ?? [];
  // Some of the messages are parsed by workers.
  if (id !== '') while ((await app.read(`/_svc/emails/${id}`)).parsing);
  return { reply, id };
}

const message = (headers: string, body = 'Hello') =>
  `From: shop@example.test\nTo: ada@example.test\nSubject: Hi\n${headers}\n${body}\n`;

async function bytesOf(id: string, query = ''): Promise<string> {
  const response = await app.http.inject({
    url: `/_svc/emails/${id}/raw${query}`,
    headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios' },
  });
  expect(response.statusCode).toBe(200);
  return response.body;
}

const warningsOf = async (id: string) =>
  (await app.read(`/_svc/emails/${id}`)).warnings.filter(({ code }: { code: string }) => code !== 'unverified_domain');

async function template(): Promise<string> {
  const body = { name: 'welcome', subject: 'Welcome {{name}}', html: '<p>Hello {{name}}</p>', text: 'Hello {{name}}' };
  return (await app.call('POST', '/v1/templates', body)).json.data.id;
}

const RECIPIENT = '?recipient=ada@example.test';

describe('a header of an SMTP message', () => {
  it('sets tags, of a simple message and of one for the workers', async () => {
    const simple = await deliver(message('X-Service-Tags: order, eu-west ,\n'));
    const folded = await deliver(
      message('X-Service-Tags: order,\n eu-west\nX-Other: Gr=?UTF-8?Q?=C3=BC?=n\n', 'Gr\u00fc\u00dfe'),
    );

    for (const { id } of [simple, folded]) {
      expect((await app.read(`/v1/emails/${id}`)).tags).toEqual(['order', 'eu-west']);
      // The text of the second has no charset.
      const codes = (await warningsOf(id)).map(({ code }: { code: string }) => code);
      expect(codes).toEqual(id === simple.id ? [] : ['guessed_charset']);
    }
    expect((await app.read('/v1/emails?tags=order,eu-west')).pagination.total).toBe(2);
  });

  it('schedules the email, which can be cancelled and goes out at its time', async () => {
    app.clock.freeze();
    const at = (ms: number) => new Date(app.clock.now() + ms).toISOString();
    const sent = await deliver(message(`X-Service-Schedule: ${at(3_600_000)}\nX-Service-Simulate: bounced\n`));
    const cancelled = await deliver(message(`X-Service-Schedule: ${at(3_600_000)}\n`));
    expect(await app.read(`/v1/emails/${sent.id}`)).toMatchObject({ status: 'scheduled', sent_at: null });
    expect((await app.call('DELETE', `/v1/emails/${cancelled.id}`)).status).toBe(200);

    await app.call('POST', '/_svc/clock/advance', { by: '1h' });

    expect(await app.read(`/v1/emails/${sent.id}`)).toMatchObject({ status: 'bounced', sent_at: at(0) });
    expect(await app.read(`/v1/emails/${cancelled.id}`)).toMatchObject({ status: 'cancelled' });
  });

  it('renders a template for a message without a body, and keeps the raw message', async () => {
    const id = await template();
    const headers = `X-Service-Template: ${id}\nX-Service-Variables: {"name": "Ada <A>",\n "extra": 1}\nMessage-ID: <1@shop>\n`;
    const raw = `From: shop@example.test\nTo: ada@example.test\n${headers}\n`.replace(/\n/g, '\r\n');
    const sent = await deliver(raw);

    const email = await app.read(`/v1/emails/${sent.id}`);
    expect(email).toMatchObject({
      ...{ subject: 'Welcome Ada <A>', html: '<p>Hello Ada &lt;A&gt;</p>', text: 'Hello Ada <A>' },
      ...{ template_id: id, variables: { name: 'Ada <A>', extra: 1 }, status: 'delivered' },
    });
    expect(await warningsOf(sent.id)).toEqual([]);
    expect(await bytesOf(sent.id)).toBe(raw);
    const copy = await bytesOf(sent.id, RECIPIENT);
    expect(copy).not.toMatch(/X-Service/i);
    expect(copy).toMatch(/^Message-ID: <1@shop>\r$/m);
    expect(copy).toMatch(/^Subject: Welcome Ada <A>\r$/m);
    expect(copy).toContain('<p>Hello Ada &lt;A&gt;</p>');
  });

  it('keeps the subject of the message rather than that of the template', async () => {
    const id = await template();
    const sent = await deliver(message(`X-Service-Template: ${id}\nX-Service-Variables: {"name":"Ada"}\n`, ''));
    expect(await app.read(`/v1/emails/${sent.id}`)).toMatchObject({ subject: 'Hi', text: 'Hello Ada' });
  });

  it('is not in the delivered copy, which has the same bytes otherwise', async () => {
    const raw = message(
      'X-Service-Tags: a,\n b\nx-service-simulate: opened\nX-Kept: yes\n',
      'Body\nX-Service-Tags: kept',
    );
    const { id } = await deliver(raw);
    expect(await bytesOf(id)).toBe(raw.replace(/\n/g, '\r\n'));
    expect(await bytesOf(id, RECIPIENT)).toBe(
      raw.replace('X-Service-Tags: a,\n b\nx-service-simulate: opened\n', '').replace(/\n/g, '\r\n'),
    );
    const plain = message('', 'plain');
    const other = await deliver(plain);
    expect(await bytesOf(other.id, RECIPIENT)).toBe(plain.replace(/\n/g, '\r\n'));
  });

  it('tracks opens and clicks in the delivered copy alone', async () => {
    const html = '<a href="https://shop.example/">Shop</a>';
    const raw = message('X-Service-Track: opens, clicks\nContent-Type: text/html\nX-Kept: yes\n', html);
    const { id } = await deliver(raw);

    expect(await bytesOf(id)).toBe(raw.replace(/\n/g, '\r\n'));
    const copy = await bytesOf(id, RECIPIENT);
    expect(copy).toMatch(/^X-Kept: yes\r$/m);
    expect(copy).toMatch(/^From: shop@example.test\r$/m);
    const delivered = await app.http.inject({
      url: `/_svc/emails/${id}/delivered`,
      headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios' },
    });
    const [, click] = /href="[^"]*(\/t\/c\/[^"]+)"/.exec(delivered.body) ?? [];
    const [, open] = /src="[^"]*(\/t\/o\/[^"]+)"/.exec(delivered.body) ?? [];
    for (const url of [open, click]) await app.http.inject({ url: url ?? '', headers: { host: 'localhost' } });
    expect(await app.read(`/v1/emails/${id}`)).toMatchObject({
      opens_count: 1,
      clicks_count: 1,
      html: expect.stringContaining('https://shop.example/'),
    });

    const untracked = await deliver(message('X-Service-Track: none\nContent-Type: text/html\n', html));
    expect(await bytesOf(untracked.id, RECIPIENT)).toContain('https://shop.example/');
    expect(await warningsOf(untracked.id)).toEqual([]);
  });

  it('is ignored with a warning if its value cannot be used', async () => {
    const id = await template();
    const found = async (headers: string, body?: string) => {
      const sent = await deliver(message(headers, body));
      return (await warningsOf(sent.id)).map(
        ({ code, path, message: text, strict_status }: Record<string, unknown>) => {
          expect(strict_status).toBe(422);
          return `${code} ${path}: ${text}`;
        },
      );
    };
    expect(await found(`X-Service-Tags: ${'x'.repeat(300)}\n`)).toEqual([
      'invalid_header X-Service-Tags: must be at most 256 characters; the header is ignored',
    ]);
    expect(await found('X-Service-Schedule: tomorrow\n')).toEqual([
      expect.stringMatching(
        /^invalid_header X-Service-Schedule: must be an RFC 3339 date-time .*; the header is ignored$/,
      ),
    ]);
    expect(await found('X-Service-Schedule: 2020-01-01T00:00:00Z\n')).toEqual([
      expect.stringMatching(/^invalid_header X-Service-Schedule: must be in the future .*; the header is ignored$/),
    ]);
    expect(await found('X-Service-Template: tpl_none\n', '')).toEqual([
      'invalid_header X-Service-Template: template "tpl_none" not found; the header is ignored',
    ]);
    expect(await found(`X-Service-Template: ${id}\nX-Service-Variables: {"nam": 1}\n`, '')).toEqual([
      expect.stringMatching(/^invalid_header X-Service-Variables: .*name.*; the header is ignored$/),
    ]);
    expect(await found('X-Service-Variables: name=Ada\n')).toEqual([
      'invalid_header X-Service-Variables: must be a JSON object; the header is ignored',
    ]);
    expect(await found('X-Service-Variables: {"name": "Ada"}\n')).toEqual([
      'unused_variables X-Service-Variables: are not used, because X-Service-Template is missing',
    ]);
    expect(await found(`X-Service-Template: ${id}\n`)).toEqual([
      'unused_template X-Service-Template: is not used, because the message has a body',
    ]);
    expect(await found('X-Service-Tag: a\nX-Service-Other-Thing: b\nx-service-tag: c\n')).toEqual([
      'unknown_header x-service-tag: is not a header of the service (did you mean X-Service-Tags?); the header is ignored',
      'unknown_header x-service-other-thing: is not a header of the service; the header is ignored',
    ]);
    expect(await found('X-Service-Track: everything\n')).toEqual([
      'invalid_header X-Service-Track: must be opens, clicks, both separated by a comma, or none; the header is ignored',
    ]);
  });

  it('is refused with 554 5.6.0 by a strict server', async () => {
    await app.closeClean();
    await start({ strict: true, domains: ['example.test'], parsingLimitMs: 60_000 });
    const id = await template();
    for (const headers of [
      `X-Service-Tags: ${'x'.repeat(300)}\n`,
      'X-Service-Track: all\n',
      'X-Service-Variables: {}\n',
      'X-Service-Simulate: boounced\n',
      'X-Service-Tag: a\n',
    ]) {
      const { reply } = await deliver(message(headers));
      expect(reply).toMatch(
        /^554 5\.6\.0 (invalid_header|unused_variables|ignored_outcome|unknown_header); X-Service-/i,
      );
      expect(reply).not.toMatch(/is ignored/);
    }
    expect((await deliver(message(`X-Service-Template: ${id}\n`))).reply).toMatch(/^554 5\.6\.0 unused_template; /);
    expect((await deliver(message(`X-Service-Template: ${id}\n`, ''))).reply).toMatch(
      /^554 5\.6\.0 invalid_header; .*name/,
    );
    expect((await deliver(message('X-Service-Tags: a\n'))).reply).toMatch(/^250 /);
  });
});
