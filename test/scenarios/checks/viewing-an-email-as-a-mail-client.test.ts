import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClientView } from '../../../src/contract/control/emails/check.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.closeClean());

async function send(html: string): Promise<string> {
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html };
  return (await app.call('POST', '/v1/emails', email)).json.data.id;
}

it('returns the HTML as the client keeps it, with the line and the source of each difference', async () => {
  const id = await send('<body bgcolor="white">\n<p style="position:relative;color:#222">Hi</p></body>');

  const view: ClientView = await app.read(`/_svc/emails/${id}/view?client=gmail.android&color_scheme=dark`);

  expect(view.html).toContain('<p style="color:#dedede">Hi</p>');
  expect(view).toMatchObject({ client: 'gmail.android', approximate: true, subject: 'Hello', preview: 'Hi' });
  const position = view.differences.find(({ rule }) => rule === 'css-position');
  expect(position).toEqual({
    rule: 'css-position',
    effect: 'removed',
    text: 'position is not supported.',
    source: 'https://www.caniemail.com/features/css-position/',
    count: 1,
    where: [{ source: 'html', line: 2, column: 4, excerpt: 'style="position:relative;color:#222"' }],
  });
});

it('names the clients when one is unknown', async () => {
  const { status, json } = await app.call('GET', `/_svc/emails/${await send('<p>Hi</p>')}/view?client=eudora`);

  expect(status).toBe(400);
  expect(JSON.stringify(json.error)).toContain('gmail.android');
});

it('refuses 5 MB of hostile styles in bounded time', async () => {
  const id = await send(`<style>${'.a.b,.c>d~e{color:#222;margin:-1px}'.repeat(150_000)}</style>`);

  const { status, json } = await app.call('GET', `/_svc/emails/${id}/view?client=outlook&color_scheme=dark`);

  expect(status).toBe(409);
  expect(json.error.message).toMatch(/^This email cannot be shown\. /);
});
