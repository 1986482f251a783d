import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../scripts/test-clients.js';
import { describeMachine, median, printTable, quantile } from './support/figures.js';
import { launchChromium } from './support/inbox/opened-page.js';

/**
 * Measures `svc templates dev` in Chromium: from a save to the page's new content. The goal is 100 ms.
 */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 30);
/** Time for the page to finish with one save before the next. */
const BETWEEN_MS = 300;

const react = (word: string) => `export const Part = () => <b>${word}</b>;`;
const mjml = (word: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${word}</mj-text></mj-column></mj-section></mj-body></mjml>`;

/** The saved file of each template, and its contents with a word. */
const SAVES: [name: string, file: string, contents: (word: string) => string][] = [
  ['HTML', 'welcome/body.html', (word) => `<p>${word}</p>${'<p>Thank you for your order.</p>'.repeat(300)}`],
  ['MJML', 'mjml/body.mjml', mjml],
  ['an imported React component', 'react/part.jsx', react],
];

export async function main(root: string): Promise<void> {
  console.log(`svc templates dev in Chromium; ${describeMachine()}; ${ROUNDS} saves of each kind.\n`);
  const folder = mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-'));
  const saves = SAVES.filter(([name]) => name === 'HTML' || isComplete('compilers'));
  prepare(root, folder);
  const args = [join(root, 'bin/run.js'), 'templates', 'dev', 'emails', '--print', '--port', '0', '--allow-code'];
  const env = { ...process.env, SVC_CONFIG_DIR: join(folder, 'config') };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const browser = await launchChromium();
  try {
    const [origin] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const rows: string[][] = [];
    for (const [name, file, contents] of saves) {
      await page.goto(`${origin}/#/${file.split('/')[0]}`);
      const times = await timesOf(page, join(folder, 'emails', file), contents);
      const [half, most] = [median(times), quantile(times, 0.95)];
      rows.push([name, `${half.toFixed(0)} ms`, `${most.toFixed(0)} ms`, half <= 100 ? 'met' : 'MISSED']);
    }
    printTable(['a save of', 'median', '95 %', 'goal: 100 ms'], rows);
  } finally {
    await browser.close();
    child.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(root: string, folder: string): void {
  for (const name of ['welcome', 'mjml', 'react']) {
    mkdirSync(join(folder, 'emails', name), { recursive: true });
    writeFileSync(join(folder, 'emails', name, 'template.json'), JSON.stringify({ name, subject: 'Hi' }));
  }
  cpSync(join(root, 'templates/receipt'), join(folder, 'emails/receipt'), { recursive: true });
  symlinkSync(programs.compilerModules, join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'emails/react/body.jsx'),
    "import { Part } from './part';\nexport default () => <html lang='en'><body><Part /></body></html>;",
  );
  for (const [, file, contents] of SAVES) writeFileSync(join(folder, 'emails', file), contents('First'));
}

/** Returns the milliseconds from each save until the frame with the new content is shown. */
async function timesOf(page: Page, file: string, contents: (word: string) => string): Promise<number[]> {
  const frame = page.frameLocator('iframe[title="HTML with the sample data"]');
  await frame.getByText('First').waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.waitForTimeout(BETWEEN_MS);
    const shown = page.evaluate(nextFrame);
    await page.evaluate(() => undefined);
    const before = performance.now();
    writeFileSync(file, contents(`Round ${round}.`));
    await shown;
    times.push(performance.now() - before);
    // Locators wait between attempts, so that their time does not count.
    await frame.getByText(`Round ${round}.`).waitFor();
  }
  return times;
}

/** Runs in the page: waits until another frame has the title, which is given once its content is loaded, and is drawn. */
function nextFrame(): Promise<void> {
  const find = () => document.querySelector('iframe[title="HTML with the sample data"]');
  const current = find();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!find() || find() === current) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(resolve));
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
  });
}
