import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, getJson, measures, newDirectory, type Peer, startProgram, untilTrue } from './peer.js';

export const MAILDEV_VERSION = '3.0.0';

/** Installs maildev in a new directory and returns it; undefined if npm fails, as without a network. */
export function installMaildev(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-maildev-'));
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const args = ['install', ...options, '--loglevel', 'error', '--prefix', directory, `maildev@${MAILDEV_VERSION}`];
  try {
    console.error(`Installing maildev ${MAILDEV_VERSION} …`);
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return directory;
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
}

/** Starts maildev with its emails in files. They are also in its memory. `stop` removes the installation. */
export async function startMaildev(installation: string): Promise<Peer> {
  const directory = newDirectory();
  const [smtpPort, webPort] = [await freePort(), await freePort()];
  const addresses = [
    '--smtp',
    String(smtpPort),
    '--ip',
    '127.0.0.1',
    '--web',
    String(webPort),
    '--web-ip',
    '127.0.0.1',
  ];
  const program = join(installation, 'node_modules/maildev/dist/bin/maildev.js');
  const api = `http://127.0.0.1:${webPort}/api`;
  const summary = (query: string) =>
    getJson<{ items: unknown[]; total: number; storeTotal: number }>(`${api}/email/summary?${query}`);
  const { pid, startMs, stop } = await startProgram(
    process.execPath,
    [program, ...addresses, '--silent', '--mail-directory', directory],
    `${api}/healthz`,
    directory,
  ).catch((error) => {
    rmSync(installation, { recursive: true, force: true });
    throw error;
  });
  return {
    name: `maildev ${MAILDEV_VERSION}`,
    smtpPort,
    directory,
    startMs,
    ...measures(pid, directory),
    settled: (count) => untilTrue('maildev has all emails', async () => (await summary('limit=1')).storeTotal >= count),
    list: async () => (await summary('limit=50')).items.length,
    search: async (word) => (await summary(`limit=50&search=${word}`)).items.length,
    newest: async () => (await summary('limit=100')).items as { id: string; subject: string }[],
    read: async (id) => ({
      links: (await getJson<{ html: string }>(`${api}/email/${id}`)).html.split('href="https://').length - 1,
    }),
    matching: async (word) => (await summary(`limit=1&search=${word}`)).total,
    async stop() {
      await stop();
      rmSync(installation, { recursive: true, force: true });
    },
  };
}
