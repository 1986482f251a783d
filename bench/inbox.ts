import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openSqliteStore } from '../src/storage/sqlite/store.js';
import { describeMachine, median, printTable, quantile } from './support/figures.js';
import { type Action, timeAction } from './support/inbox/actions.js';
import { measureArrivals, sendAtRate } from './support/inbox/arrivals.js';
import { type FirstView, measureFirstView } from './support/inbox/first-view.js';
import { launchChromium, openPage } from './support/inbox/opened-page.js';
import { PlainChromium, type Visit } from './support/inbox/plain-chromium.js';
import { measureScrolling } from './support/inbox/scrolling.js';
import { measureSlowView, type SlowView } from './support/inbox/slow-network.js';
import { serveStaticCopy } from './support/inbox/static-copy.js';
import { fill } from './support/search-fill.js';
import { type Svc, startSvc } from './support/servers.js';
import { SmtpClient } from './support/smtp-client.js';

/**
 * Measures the inbox in Chromium. `npm run bench:inbox -- --minutes 60` receives 10 emails a second for an hour, instead
 * of 3,000 emails in a minute; `--only memory` measures a part: first-view, slow-network, arrivals, actions, scrolling or
 * memory.
 */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 20);
const FEW = 10_000;
const MANY = 100_000;
const SHORT = { emails: 3_000, perSecond: 50 };
const REAL_PER_SECOND = 10;
/** Emails of which each is alone: the page has finished with the events of the one before. */
const ALONE_MS = 700;

export async function main(root: string): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { minutes: { type: 'string' }, only: { type: 'string' } },
  });
  const is = (part: string) => values.only === undefined || values.only === part;
  console.log(`The web inbox in Chromium; ${describeMachine()}; ${ROUNDS} rounds. CPU is the page's main thread.\n`);
  const browser = await launchChromium();
  try {
    if (is('first-view') || is('slow-network') || is('arrivals') || is('memory')) {
      await withEmails(root, FEW, async (svc) => {
        if (is('first-view')) await printFirstView(browser, svc);
        if (is('slow-network')) await printSlowNetwork(browser, svc);
        if (is('arrivals')) await printArrivals(browser, svc);
        if (is('memory')) await printMemory(browser, svc, values.minutes);
      });
    }
    if (is('actions') || is('scrolling')) {
      await withEmails(root, MANY, async (svc) => {
        if (is('actions')) await printActions(browser, svc);
        if (is('scrolling')) await printScrolling(browser, svc);
      });
    }
  } finally {
    await browser.close();
  }
}

/** Starts a server whose data directory has as many emails. */
async function withEmails(root: string, count: number, measure: (svc: Svc) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-'));
  const file = join(dataDir, 'mail.db');
  const store = openSqliteStore({ file });
  await fill(store, 0, count);
  await store.close();
  const svc = await startSvc(root, dataDir);
  console.log(`${count} emails, ${megabytes(statSync(file).size)} on disk`);
  try {
    await measure(svc);
  } finally {
    await svc.stop();
  }
}

const addressOf = ({ httpPort }: Svc) => `http://127.0.0.1:${httpPort}/`;
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const ms = (value: number) => `${value.toFixed(0)} ms`;
const inMs = (values: readonly number[]) => [ms(median(values)), ms(quantile(values, 0.99))];

async function printFirstView(browser: Browser, svc: Svc): Promise<void> {
  const views: FirstView[] = [];
  const visits: Visit[] = [];
  const floor: Visit[] = [];
  const copy = await serveStaticCopy(browser, addressOf(svc));
  const chromium = new PlainChromium();
  for (let round = -1; round < ROUNDS; round += 1) {
    const view = await measureFirstView(browser, addressOf(svc));
    const [visit, least] = [await chromium.visit(addressOf(svc)), await chromium.visit(copy.address)];
    if (round < 0) continue;
    views.push(view);
    visits.push(visit);
    floor.push(least);
  }
  await chromium.close();
  copy.close();
  const kilobytes = views.map(({ transferred }) => transferred / 1_000);
  const timesOf = (of: readonly Visit[]) => [
    ...inMs(of.map((each) => each.ms)),
    ms(median(of.map((each) => each.cpuMs))),
  ];
  printTable(
    ['First view', 'p50', 'p99', 'CPU', 'goal'],
    [
      ['transfer, as compressed by the server', `${median(kilobytes).toFixed(1)} kB`, '', '', '150 kB'],
      ['navigation to the drawn list', ...timesOf(visits), 'p50 400 ms'],
      ['the same while DevTools record requests', ...timesOf(views), ''],
      ['the same page as HTML without scripts', ...timesOf(floor), ''],
    ],
  );
  console.log();
}

async function printSlowNetwork(browser: Browser, svc: Svc): Promise<void> {
  const views: SlowView[] = [];
  for (let round = 0; round < ROUNDS; round += 1) views.push(await measureSlowView(browser, addressOf(svc)));
  const timesOf = (name: keyof SlowView) => inMs(views.map((view) => view[name]));
  const kilobytes = median(views.map(({ bytesBeforeRows }) => bytesBeforeRows / 1_000));
  printTable(
    ['400 ms to the server, 50 kB a second', 'p50', 'p99', 'goal'],
    [
      ['frame with the shape of the list', ...timesOf('paintedMs'), 'p50 600 ms'],
      ['rows that can be opened', ...timesOf('rowsMs'), ''],
      ['received until then', `${kilobytes.toFixed(1)} kB`, '', '60 kB'],
      ['the whole list', ...timesOf('listMs'), ''],
    ],
  );
  console.log();
}

async function printArrivals(browser: Browser, svc: Svc): Promise<void> {
  const opened = await openPage(browser, addressOf(svc));
  const client = await SmtpClient.open(svc.smtpPort);
  await measureArrivals(opened, client, { count: 5, everyMs: ALONE_MS });
  const rows: string[][] = [];
  const loads = [
    { name: 'one email alone', count: ROUNDS * 3, everyMs: ALONE_MS, goal: 'p99 100 ms' },
    { name: '10 emails a second', count: ROUNDS * 15, everyMs: 100, goal: 'CPU 10 ms' },
  ];
  for (const { name, goal, ...load } of loads) {
    const [before, server] = [await opened.cpu(), svc.cpu()];
    const times = await measureArrivals(opened, client, load);
    const each = [(await opened.cpu()) - before, (svc.cpu() - server) / 1_000].map((spent) => spent / load.count);
    rows.push([name, ...inMs(times), ...each.map((spent) => `${spent.toFixed(1)} ms`), goal]);
  }
  printTable(['SMTP 250 to the row', 'p50', 'p99', 'CPU of each', "server's CPU", 'goal'], rows);
  console.log();
  client.close();
  await opened.close();
}

async function printMemory(browser: Browser, svc: Svc, minutes: string | undefined): Promise<void> {
  const perSecond = minutes === undefined ? SHORT.perSecond : REAL_PER_SECOND;
  const emails = minutes === undefined ? SHORT.emails : Number(minutes) * 60 * REAL_PER_SECOND;
  const opened = await openPage(browser, addressOf(svc));
  const client = await SmtpClient.open(svc.smtpPort);
  await sendAtRate(client, perSecond, perSecond);
  const rows: string[][] = [];
  const note = async (name: string) => {
    const { heapBytes, nodes, listeners } = await opened.memory();
    rows.push([name, megabytes(heapBytes), String(nodes), String(listeners), '']);
  };
  await note('at the start');
  for (const part of [1, 2, 3, 4]) {
    await sendAtRate(client, emails / 4, perSecond);
    await note(`after ${(emails / 4) * part} emails, ${perSecond} a second`);
  }
  rows.at(-1)?.splice(4, 1, 'as at the start');
  printTable(['Memory of the page', 'heap', 'DOM nodes', 'listeners', 'goal'], rows);
  console.log();
  client.close();
  await opened.close();
}

const actions: Action[] = [
  {
    name: 'open an email',
    prepare: async (page) => {
      if (page.url().includes('/emails/')) await page.goBack();
      await page.locator('article').waitFor({ state: 'detached' });
    },
    run: (page) => page.locator('a[data-email]').nth(3).click(),
    result: 'article h1',
  },
  {
    name: 'search for an order while typing',
    prepare: async (page) => {
      await page.locator('[role=combobox]').fill('');
      await page.locator('li[aria-setsize="100000"]').first().waitFor();
    },
    run: (page) => page.locator('[role=combobox]').pressSequentially('to:user77777@example.test'),
    result: 'li[aria-setsize="1"] a',
  },
  {
    name: 'j: next email',
    prepare: (page) => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
    run: (page) => page.keyboard.press('j'),
    result: 'a[data-email]:focus',
  },
  {
    name: 'select all',
    prepare: async (page) => {
      await page.keyboard.press('*');
      await page.keyboard.press('n');
    },
    run: async (page) => {
      await page.keyboard.press('*');
      await page.keyboard.press('a');
    },
    result: '[data-selected=true]',
  },
];

async function printActions(browser: Browser, svc: Svc): Promise<void> {
  const opened = await openPage(browser, addressOf(svc));
  const rows: string[][] = [];
  for (const action of actions) {
    const timed = await timeAction(opened, action, ROUNDS);
    rows.push([action.name, ...inMs(timed.ms), ms(timed.cpuMs)]);
  }
  printTable(['With 100,000 emails', 'p50', 'p99', 'CPU'], rows);
  console.log();
  await opened.close();
}

const speeds = [
  // V8 compiles what scrolling uses, and the page still loads the parts that are used next.
  { name: 'wheel, first second of the page', pixels: 150, frames: 60 },
  { name: 'wheel, 150 pixels a frame', pixels: 150, frames: 300 },
  { name: 'fast, 2,000 pixels a frame', pixels: 2_000, frames: 300 },
  { name: 'scroll bar, 18,000 pixels a frame', pixels: 18_000, frames: 300 },
];

async function printScrolling(browser: Browser, svc: Svc): Promise<void> {
  const opened = await openPage(browser, addressOf(svc));
  const rows: string[][] = [];
  for (const { name, ...speed } of speeds) {
    const server = svc.cpu();
    const found = await measureScrolling(browser, opened, speed);
    // Three frames of the display are 50.0 ms, and a little more or less in floating point.
    const over = found.frames.filter((frame) => Math.round(frame) > 50).length / found.frames.length;
    rows.push([
      name,
      ms(Math.max(...found.frames)),
      `${(over * 100).toFixed(1)} %`,
      ms(Math.max(...found.frameCpu)),
      ms(found.filledMs),
      String(found.requests),
      ms((svc.cpu() - server) / 1_000),
      '0 % > 50 ms',
    ]);
  }
  printTable(
    [
      'Scrolling 100,000 emails',
      'longest frame',
      '> 50 ms',
      'busiest frame, CPU',
      'filled after',
      'requests',
      "server's CPU",
      'goal',
    ],
    rows,
  );
  const { heapBytes, nodes } = await opened.memory();
  console.log(`\nAfter that: heap ${megabytes(heapBytes)}, ${nodes} DOM nodes.\n`);
  await opened.close();
}
