const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { app } = require('./app.js');

let server;
let origin;
before(async () => {
  server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

/** Waits for an email with the control API of the server that svc dev exec started. */
async function waitForEmail(query) {
  const { SVC_BASE_URL, SVC_API_KEY, SVC_SINCE } = process.env;
  const response = await fetch(new URL('/_svc/emails/wait', SVC_BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${SVC_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, since: SVC_SINCE }),
  });
  const { data } = await response.json();
  assert.ok(data.matched, JSON.stringify(data.near_misses, null, 2));
  return data.emails[0];
}

test('the link in the email confirms the address', async () => {
  const body = new URLSearchParams({ email: 'ada@example.test' });
  await fetch(`${origin}/sign-up`, { method: 'POST', body });

  const { links, codes } = await waitForEmail('to:ada@example.test subject:confirm has:link has:code');

  assert.match(await fetch(links[0].href).then((page) => page.text()), /ada@example\.test is confirmed/);
  assert.equal((await fetch(`${origin}/confirm?key=${codes[0].value}`)).status, 200);
});
