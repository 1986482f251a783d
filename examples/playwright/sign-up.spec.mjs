import { expect, test as svcTest } from 'svc-cli/testing/playwright';
import { startApp } from './app.mjs';

const test = svcTest.extend({
  app: async ({ svc }, use) => {
    const app = await startApp(svc);
    await use(app);
    app.close();
  },
});

test('the link in the email confirms the address', async ({ page, app, inbox }) => {
  await page.goto(app.url);
  await page.getByRole('textbox').fill(inbox.address);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('on its way')).toBeVisible();

  const email = await inbox.waitFor({ subject: /confirm/i });
  await page.goto(email.link(/confirm/));

  await expect(page.getByText(`${inbox.address} is confirmed`)).toBeVisible();
});
