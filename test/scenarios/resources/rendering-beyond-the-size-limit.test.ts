import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;

beforeEach(async () => {
  app = await startApp();
});

afterEach(() => app.closeClean());

const LIMIT = 8 * 1024 * 1024;

async function template(fields: Record<string, string>): Promise<string> {
  const body = { name: 'large', subject: 'Hi', html: '<p></p>', ...fields };
  return (await app.call('POST', '/v1/templates', body)).json.data.id;
}

const render = (id: string, variables: unknown) => app.call('POST', `/v1/templates/${id}/render`, { variables });
const send = (id: string, variables: unknown) =>
  app.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'a@b.test', template_id: id, variables });

it.each([
  ['html', 209_000, 'x'.repeat(1_000), 209_000_000],
  ['text', 209_000, 'x'.repeat(5_000_000), 1_045_000_000_000],
  ['html', 100_000, '"&<>é'.repeat(10), 100_000 * 10 * (6 + 5 + 4 + 4 + 2)],
])('refuses %s of %i placeholders when the values exceed its limit', async (field, count, value, bytes) => {
  const id = await template({ [field]: '{{a}}'.repeat(count) });
  const message = `must be at most ${LIMIT} bytes in UTF-8 once rendered, not ${bytes}`;

  for (const { status, json } of [await render(id, { a: value }), await send(id, { a: value })]) {
    expect(status).toBe(422);
    expect(json.error.message).toBe(`${field}: ${message}`);
    expect(json.error.details).toEqual([{ path: field, message }]);
  }
  expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(0);
});

it('renders up to the limit, and not one byte more', async () => {
  const id = await template({ html: `{{a}}${'{{b}}'.repeat(8)}` });
  const b = 'é'.repeat(LIMIT / 16 - 1);

  const full = await render(id, { a: '&&&<', b: b.slice(1) });
  expect(full.status).toBe(200);
  expect(full.json.data.html).toBe(`&amp;&amp;&amp;&lt;${b.slice(1).repeat(8)}`);
  const exact = await render(id, { a: 'x'.repeat(16), b });
  expect(Buffer.byteLength(exact.json.data.html)).toBe(LIMIT);
  expect((await render(id, { a: 'x'.repeat(17), b })).status).toBe(422);
});

it('refuses a subject that the values make too long', async () => {
  const id = await template({ subject: '{{a}}'.repeat(200_000) });

  for (const { status, json } of [await render(id, { a: '12345' }), await send(id, { a: '12345' })]) {
    expect(status).toBe(422);
    expect(json.error.details).toEqual([
      { path: 'subject', message: 'must be at most 998 characters once rendered, not 1000000' },
    ]);
  }
});
