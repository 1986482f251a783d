import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/client/operations.js';
import { outcomes } from '../../src/contract/vocabulary/outcomes.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of outcome rules. */

let browser: Browser;
let server: InboxServer;
let opened: Awaited<ReturnType<typeof openInbox>>;

const open = async () => {
  opened = await openInbox(browser, server.origin, '/inbox/rules');
  return opened.page;
};

describe.skipIf(withoutBrowser)(`rules in the inbox${withoutBrowser}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    server = await startInbox();
  });
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
    await server.closeClean();
  });

  it('adds a rule with all details of a bounce, counts its uses live, and removes it', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No rules' }).waitFor();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a rule' });
    await dialog.getByLabel('Recipients').fill('*@corp.test');
    await dialog.getByLabel('Outcome').selectOption('bounced');
    await dialog.getByLabel('Bounce type').selectOption('soft');
    await dialog.getByLabel('Bounce reason').fill('452 4.2.2 Mailbox full');
    await dialog.getByLabel('Delay').fill('0');
    await dialog.getByLabel('Number of emails').fill('2');
    await dialog.getByRole('button', { name: 'Add rule' }).click();

    const row = page.getByRole('row').filter({ hasText: '*@corp.test' });
    await row.getByText('soft, 452 4.2.2 Mailbox full, after 0s').waitFor();
    await row.getByText('0 of 2').waitFor();
    await server.send({ to: 'ada@corp.test' });
    await row.getByText('1 of 2').waitFor();

    await page.getByRole('button', { name: 'Remove the rule bounced for *@corp.test' }).click();
    await page.getByRole('heading', { name: 'No rules' }).waitFor();
    expect((await server.read('/_svc/rules')).rules).toEqual([]);
  });

  it('offers the details of each outcome that the server accepts', async () => {
    const page = await open();
    for (const outcome of outcomes) {
      await page.getByRole('button', { name: 'Add a rule' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Recipients').fill(`${outcome}@corp.test`);
      await dialog.getByLabel('Outcome').selectOption(outcome);
      for (const [label, value] of [
        ['Bounce reason', '550 5.1.1 Unknown'],
        ['Delay', '1m'],
      ] as const) {
        const field = dialog.getByLabel(label);
        if (await field.isVisible()) await field.fill(value);
      }
      await dialog.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('cell', { name: `${outcome}@corp.test`, exact: true }).waitFor();
    }

    const { rules } = await server.read('/_svc/rules');
    const found = Object.fromEntries((rules as Rule[]).map((rule) => [rule.outcome, rule]));
    expect(found.bounced).toMatchObject({ bounce_type: 'hard', reason: '550 5.1.1 Unknown', delay_ms: 60_000 });
    expect(found.complained).toMatchObject({ complaint_type: 'abuse', delay_ms: 60_000 });
    expect(found.dropped).toMatchObject({ drop_reason: 'invalid_address', delay_ms: null });
    expect(Object.keys(found).sort()).toEqual([...outcomes].sort());
  });

  it('shows at a field what the server refused, and keeps what was entered', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Recipients').fill('*@corp.test');
    await dialog.getByLabel('Delay').fill('later');
    await dialog.getByRole('button', { name: 'Add rule' }).click();

    await dialog.getByText(/^must be a duration/).waitFor();
    expect(await dialog.getByLabel('Recipients').inputValue()).toBe('*@corp.test');
  });

  it('lists an address for each outcome', async () => {
    const page = await open();
    const table = page.getByRole('table', { name: 'Test addresses' });

    for (const outcome of outcomes) await table.getByText(`${outcome}@simulator.test`, { exact: true }).waitFor();
  });
});
