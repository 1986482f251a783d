import { expect, svcTest } from 'svc-cli/testing/vitest';
import { startApp } from './app.mjs';

const test = svcTest().extend({
  app: async ({ svc }, use) => {
    const app = await startApp(svc);
    await use(app);
    app.close();
  },
});

const signUp = (app, email) => fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) });

test('the link in the email confirms the address', async ({ app, inbox }) => {
  await signUp(app, inbox.address);

  const email = await inbox.waitFor({ subject: /confirm/i });
  expect(email).toHaveCode();
  expect(email).toHaveLink(/\/confirm/);
  const page = await fetch(email.link(/confirm/)).then((response) => response.text());

  expect(page).toContain(`${inbox.address} is confirmed`);
});

test('no email is sent before someone signs up', async ({ app, inbox }) => {
  await fetch(app.url);

  await inbox.waitForNone();
});
