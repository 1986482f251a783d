import { expect, svcTest } from 'svc-cli/testing/vitest';
import { confirm, signUp } from './app.mjs';

const test = svcTest();

test('the link in the email confirms the address', async ({ svc, inbox }) => {
  await signUp(svc, inbox.address);

  const email = await inbox.waitFor({ subject: /confirm/i });
  expect(email).toHaveCode();
  expect(email).toHaveLink(/\/confirm/);
  const key = new URL(email.link(/confirm/)).searchParams.get('key');

  expect(confirm(key)).toBe(inbox.address);
});

test('no email is sent before someone signs up', async ({ inbox }) => {
  await inbox.waitForNone();
});
