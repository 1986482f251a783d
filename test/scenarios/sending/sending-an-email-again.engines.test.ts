import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
  app.clock.freeze();
});
afterEach(() => app.closeClean());

const BASE = { to: 'ada@example.test', from: 'Shop <shop@example.test>', subject: 'Hi' };
const send = async (body: object) =>
  (await app.call('POST', '/v1/emails', { ...BASE, ...body })).json.data.id as string;
const resend = (id: string) => app.call('POST', `/_svc/emails/${id}/resend`);

async function resent(id: string): Promise<string> {
  const { status, json } = await resend(id);
  expect(status).toBe(201);
  expect(json.data).toEqual({ id: expect.stringMatching(/^msg_/) });
  expect(json.data.id).not.toBe(id);
  return json.data.id;
}

/** What two emails of the same content have in common. A sending domain is announced on the first email only. */
async function contentOf(id: string): Promise<object> {
  const captured = await app.read(`/_svc/emails/${id}/captured`);
  const { id: _, cursor, created_at, captured_at, read, headers, warnings, ...content } = captured;
  return { ...content, warnings: warnings.filter((code: string) => code !== 'unverified_domain') };
}

it('sends the content of a REST request to the same recipients, with statuses and events of its own', async () => {
  const id = await send({
    to: ['ada@example.test', 'Bob <bob@example.test>'],
    cc: ['carol@example.test'],
    bcc: ['audit@example.test'],
    reply_to: 'help@example.test',
    html: '<p>Hello {{name}}</p><a href="https://shop.example/">Shop</a>',
    text: 'Hello',
    tags: ['a', 'b'],
    attachments: [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }],
  });
  await app.drain();
  const before = await contentOf(id);
  expect(before).toMatchObject({ warnings: ['leftover_placeholder'] });
  await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'opened', all: true });

  const copy = await resent(id);
  await app.drain();

  expect(await contentOf(copy)).toEqual(before);
  expect(await app.read(`/v1/emails/${copy}`)).toMatchObject({ status: 'delivered', opens_count: 0, opened_at: null });
  const attachment = (of: string) =>
    app.http.inject({
      url: `/_svc/emails/${of}/attachments/0`,
      headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios' },
    });
  expect((await attachment(copy)).body).toBe('hello');
});

it('has tracked links of its own', async () => {
  const id = await send({ html: '<p>Hello <a href="https://shop.example/">Shop</a></p>' });
  const copy = await resent(id);
  await app.drain();

  await app.call('POST', `/_svc/emails/${copy}/simulate`, { outcome: 'clicked' });

  expect(await app.read(`/v1/emails/${id}`)).toMatchObject({ clicks_count: 0 });
  expect(await app.read(`/v1/emails/${copy}`)).toMatchObject({ clicks_count: 1 });
});

it('keeps the rendered content of a template that was changed since', async () => {
  const template = { name: 'welcome', subject: 'Hi {{name}}', html: '<p>Hi {{name}}</p>', text: '' };
  const { id: template_id } = (await app.call('POST', '/v1/templates', template)).json.data;
  const id = await send({ subject: undefined, template_id, variables: { name: 'Ada' } });
  await app.call('PATCH', `/v1/templates/${template_id}`, { html: '<p>Changed</p>' });

  const copy = await app.read(`/v1/emails/${await resent(id)}`);

  expect(copy).toMatchObject({ subject: 'Hi Ada', html: '<p>Hi Ada</p>', template_id, variables: { name: 'Ada' } });
});

it('receives the same bytes and envelope of an SMTP message', async () => {
  const message = 'From: Shop <shop@example.test>\r\nTo: list@example.test\r\nSubject: Hi\r\n\r\nHello\xff\r\n';
  const captured = await app.call(
    'POST',
    '/_svc/emails?mail_from=bounces@example.test&rcpt_to=ada@example.test&rcpt_to=bob@example.test',
    message,
    { 'content-type': 'message/rfc822' },
  );
  const id = captured.json.data.id;

  const copy = await resent(id);
  await app.drain();

  expect((await app.read(`/_svc/emails/${copy}`)).envelope).toEqual((await app.read(`/_svc/emails/${id}`)).envelope);
  const raw = async (of: string) =>
    (
      await app.http.inject({
        url: `/_svc/emails/${of}/raw`,
        headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios' },
      })
    ).rawPayload;
  expect(await raw(copy)).toEqual(await raw(id));
  expect(await contentOf(copy)).toEqual(await contentOf(id));
});

it('sends a scheduled or cancelled email at once, and leaves that email as it is', async () => {
  const scheduled_at = new Date(app.clock.now() + 3_600_000).toISOString();
  const id = await send({ html: '<p>Later</p>', scheduled_at });
  const first = await resent(id);
  await app.call('DELETE', `/v1/emails/${id}`);
  const second = await resent(id);
  await app.drain();

  const statuses = await Promise.all(
    [id, first, second].map(async (each) => (await app.read(`/v1/emails/${each}`)).status),
  );
  expect(statuses).toEqual(['cancelled', 'delivered', 'delivered']);
});

it('drops the email for a recipient that was suppressed since', async () => {
  const id = await send({ html: '<p>Hi</p>' });
  await app.drain();
  await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'bounced' });

  const copy = await resent(id);

  const { recipients } = await app.read(`/_svc/emails/${copy}`);
  expect(recipients).toMatchObject([{ mailbox: 'ada@example.test', status: 'dropped' }]);
});

it('refuses an email that does not exist', async () => {
  expect((await resend('msg_01arz3ndektsv4rrffq69g5fav')).status).toBe(404);
});

it('sends within the workspace of the email, and not those of others', async () => {
  const workspace = async (name: string) =>
    (await app.call('POST', '/_svc/workspaces', { name, addresses: [`*@${name}.test`] })).json.data.api_key as string;
  const [one, two] = [await workspace('one'), await workspace('two')];
  const id = await send({ to: 'ada@one.test', html: '<p>Hi</p>' });
  const as = (key: string) =>
    app.call('POST', `/_svc/emails/${id}/resend`, undefined, { authorization: `Bearer ${key}` });

  expect((await as(two)).status).toBe(404);
  const { json } = await as(one);
  expect(await contentOf(json.data.id)).toMatchObject({ workspace: 'one' });
  expect(await contentOf(await resent(id))).toMatchObject({ workspace: 'one' });
});
