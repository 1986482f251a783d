import { expect, it } from 'vitest';
import { launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

it.skipIf(withoutBrowser)(`sends every request of the inbox below the base path${withoutBrowser}`, async () => {
  const server = await startInbox(0, { basePath: '/mail' });
  const id = await server.send({
    subject: 'First',
    html: '<p>Read me <a href="https://x.test/">here</a></p>',
  });
  const browser = await launchBrowser();
  const { page, problems, close } = await openInbox(browser, server.origin, '/mail');
  const paths: string[] = [];
  const failed: string[] = [];
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin !== server.origin) return;
    paths.push(url.pathname);
    if (response.status() >= 400) failed.push(`${response.status()} ${url.pathname}`);
  });

  // A new email arrives over the event stream.
  await page.getByRole('link', { name: /First/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/mail/inbox/emails');
  await server.send({ subject: 'Second' });
  await page.getByRole('link', { name: /Second/ }).waitFor();

  await page.getByRole('link', { name: /First/ }).click();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/mail/inbox/emails/${id}`));
  const frame = page.frameLocator('iframe');
  await frame.getByText('Read me').waitFor();
  const link = frame.getByRole('link', { name: 'here' });
  expect(await link.getAttribute('href')).toMatch(/^\/mail\/inbox\/leave\?/);
  expect(paths.filter((path) => path.startsWith(`/mail/inbox/content/${id}/`))).not.toEqual([]);

  await page.reload();
  await frame.getByText('Read me').waitFor();
  await page.goto(`${server.origin}/mail/docs`);
  await page.getByText('Send an email').first().waitFor();

  expect(paths.filter((path) => !path.startsWith('/mail/'))).toEqual([]);
  expect(failed).toEqual([]);
  expect(problems.join('\n')).toBe('');
  await close();
  await browser.close();
  await server.closeClean();
});
