import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from 'svc-cli/testing';
import { startApp } from './app.mjs';

let svc;
let app;
before(async () => {
  svc = await startServer();
  app = await startApp(svc);
});
after(async () => {
  app.close();
  await svc.close();
});

const signUp = (email) => fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) });

test('the link in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await signUp(inbox.address);

  const email = await inbox.waitFor({ subject: /confirm/i });
  const page = await fetch(email.link(/confirm/)).then((response) => response.text());

  assert.equal(page, `<p>${inbox.address} is confirmed.</p>`);
});

test('the code in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await signUp(inbox.address);

  const email = await inbox.waitFor();
  const page = await fetch(`${app.url}/confirm?key=${email.code()}`).then((response) => response.text());

  assert.match(page, /is confirmed/);
});
