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
 * Writes docs/images/dashboard*.svg: the dashboard of the built `svc dev` after a few emails, as tmux shows it in
 * terminals of several sizes. Needs tmux, and ports 8025, 1025 and 3000 free. Run `npm run build` first.
 */

/** The size of each image. The one in the README is the second. */
const SIZES = [
  { columns: 80, rows: 24, file: 'dashboard-80x24.svg' },
  { columns: 120, rows: 40, file: 'dashboard.svg' },
  { columns: 200, rows: 50, file: 'dashboard-200x50.svg' },
];
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
    ['edsger@example.test', 'Your weekly report'],
    ['barbara@example.test', 'Receipt for May'],
    ['linus@example.test', 'Welcome to Lighthouse'],
  ];
  const html = `<h1>Welcome to Lighthouse</h1><p>Your account is ready. Your sign-in code is <b>482913</b>.</p>
    <p><a href="https://lighthouse.example.test/start">Get started</a></p><p>The Lighthouse team</p>`;
  for (const [to, subject] of emails)
    await svc('emails', 'send', '--from', 'shop@example.test', '--to', to, '--subject', subject, '--html', html);
  await svc('emails', 'simulate', 'latest', 'complained');
}

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => response.writeHead(body.includes('email.complained') ? 500 : 200).end());
});
receiver.listen(3000, '127.0.0.1');
await once(receiver, 'listening');
const [first] = SIZES;
const command = `'${process.execPath}' '${fromRoot('bin/run.js')}' dev --api-key svc_test_local`;
tmux('new-session', '-d', '-x', String(first.columns), '-y', String(first.rows), command);
try {
  await until(/\? help/);
  await fill('http://localhost:3000/hooks');
  await until(/\d complained[\s\S]*Deliveries 8/);
  for (const { columns, rows, file } of SIZES) {
    tmux('resize-window', '-x', String(columns), '-y', String(rows));
    await until(columns < 120 ? /ID? *│|TIME/ : /482913/);
    await sleep(PAUSE_MS * 5);
    const screen = tmux('capture-pane', '-p', '-e');
    writeFileSync(fromRoot(`docs/images/${file}`), svgOf(screen, { columns, title: `svc dev, ${columns}×${rows}` }));
  }
} finally {
  tmux('kill-server');
  receiver.close();
  rmSync(directory, { recursive: true, force: true });
}
