import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { svgOf } from './terminal-svg.js';

/**
 * Writes docs/images/dashboard.svg: the dashboard of the built `svc dev` after a few emails, as tmux shows it. Needs tmux, and
 * ports 8025, 1025 and 3000 free. Run `npm run build` first.
 */

const COLUMNS = 128;
const ROWS = 26;
const TRIES = 100;
const PAUSE_MS = 100;

const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'svc-screenshot-'));
const { CI, ...inherited } = process.env;
const env = {
  ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('SVC_'))),
  SVC_DATA_DIR: join(directory, 'data'),
  SVC_CONFIG_DIR: join(directory, 'config'),
};

const tmux = (...args) =>
  execFileSync('tmux', ['-S', join(directory, 'tmux'), '-f', '/dev/null', ...args], { env, encoding: 'utf8' });

async function svc(...args) {
  const child = spawn(process.execPath, [fromRoot('bin/run.js'), ...args], { env, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}`);
}

/** Waits until the screen matches. @throws Error with the screen if it does not. */
async function until(pattern) {
  for (let n = 0; n < TRIES; n += 1) {
    if (pattern.test(tmux('capture-pane', '-p'))) return;
    await sleep(PAUSE_MS);
  }
  throw new Error(`${pattern} did not appear:\n${tmux('capture-pane', '-p')}`);
}

/** Sends emails with the outcomes that a developer tries first. */
async function fill(receiver) {
  await svc('webhooks', 'create', '--url', receiver, '--events', 'email.delivered,email.bounced,email.complained');
  await svc('dev', 'rules', 'add', '--to', '*@corp.test', '--outcome', 'bounced');
  const emails = [
    ['ada@example.test', 'Your order'],
    ['grace@example.test', 'Reset your password'],
    ['bob@corp.test', 'Invoice 4711'],
    ['clicked@simulator.test', 'What is new in May'],
    ['linus@example.test', 'Welcome to Lighthouse'],
  ];
  const html = '<a href="https://example.test/news">News</a>';
  for (const [to, subject] of emails)
    await svc('emails', 'send', '--from', 'shop@example.test', '--to', to, '--subject', subject, '--html', html);
  await svc('emails', 'simulate', 'latest', 'complained');
}

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => response.writeHead(body.includes('email.bounced') ? 500 : 200).end());
});
receiver.listen(3000, '127.0.0.1');
await once(receiver, 'listening');
const command = `'${process.execPath}' '${fromRoot('bin/run.js')}' dev --api-key svc_test_local`;
tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), command);
try {
  await until(/\? help/);
  await fill('http://localhost:3000/hooks');
  await until(/complained.*[\s\S]*email\.complained[\s\S]*Deliveries 6/);
  const screen = tmux('capture-pane', '-p', '-e');
  writeFileSync(fromRoot('docs/images/dashboard.svg'), svgOf(screen, { columns: COLUMNS, title: 'svc dev' }));
} finally {
  tmux('kill-server');
  receiver.close();
  rmSync(directory, { recursive: true, force: true });
}
