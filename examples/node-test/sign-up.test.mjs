import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from 'svc-cli/testing';
import { confirm, signUp } from './app.mjs';

let svc;
before(async () => {
  svc = await startServer();
});
after(() => svc.close());

test('the link in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await signUp(svc, inbox.address);

  const email = await inbox.waitFor({ subject: /confirm/i });
  const key = new URL(email.link(/confirm/)).searchParams.get('key');

  assert.equal(confirm(key), inbox.address);
});

test('the code in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await signUp(svc, inbox.address);

  const email = await inbox.waitFor();

  assert.equal(confirm(email.code()), inbox.address);
});
