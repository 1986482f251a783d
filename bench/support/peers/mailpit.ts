import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf } from './message.js';
import { freePort, getJson, measures, newDirectory, type Peer, startProgram, untilTrue } from './peer.js';

export const MAILPIT_VERSION = '1.33.1';

interface Listed {
  messages: { ID: string; Subject: string }[];
  messages_count: number;
}

/** Builds Mailpit from its source into a cache and returns its program; undefined if Go is missing or fails. */
export function installMailpit(root: string): string | undefined {
  const directory = join(root, `node_modules/.cache/mailpit-${MAILPIT_VERSION}`);
  const program = join(directory, 'mailpit');
  if (existsSync(program)) return program;
  try {
    console.error(`Building Mailpit ${MAILPIT_VERSION} …`);
    const env = { ...process.env, GOBIN: directory };
    const source = `github.com/axllent/mailpit@v${MAILPIT_VERSION}`;
    execFileSync('go', ['install', source], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    return program;
  } catch {
    return undefined;
  }
}

/** Starts Mailpit with a database in a file, and without its limit of 500 messages. */
export async function startMailpit(program: string): Promise<Peer> {
  const directory = newDirectory();
  const [smtpPort, webPort] = [await freePort(), await freePort()];
  const addresses = ['--smtp', `127.0.0.1:${smtpPort}`, '--listen', `127.0.0.1:${webPort}`];
  const options = ['--database', join(directory, 'mailpit.db'), '--max', '0', '--smtp-disable-rdns', '--quiet'];
  const api = `http://127.0.0.1:${webPort}/api/v1`;
  const messages = (path: string) => getJson<{ messages: unknown[]; total: number }>(`${api}/${path}`);
  const { pid, startMs, stop } = await startProgram(program, [...addresses, ...options], `${api}/info`, directory);
  return {
    name: `Mailpit ${MAILPIT_VERSION}`,
    smtpPort,
    directory,
    startMs,
    ...measures(pid, directory),
    settled: (count) =>
      untilTrue('Mailpit has all emails', async () => (await messages('messages?limit=1')).total >= count),
    list: async () => (await messages('messages?limit=50')).messages.length,
    search: async (word) => (await messages(`search?limit=50&query=${word}`)).messages.length,
    newest: async () =>
      (await getJson<Listed>(`${api}/messages?limit=100`)).messages.map((each) => ({
        id: each.ID,
        subject: each.Subject,
      })),
    // Its check of links requests them, so that they are counted in the HTML.
    read: async (id) => ({
      links: (await getJson<{ HTML: string }>(`${api}/message/${id}`)).HTML.split('href="https://').length - 1,
    }),
    matching: async (word) => (await getJson<Listed>(`${api}/search?limit=1&query=${word}`)).messages_count,
    post: {
      port: webPort,
      path: '/api/v1/send',
      apiKey: '',
      body: (({ text, html }) => ({
        From: { Email: 'shop@example.test' },
        To: [{ Email: 'grace@example.test' }],
        Subject: 'Posted',
        Text: text,
        HTML: html,
      }))(bodyOf(0)),
      status: 200,
    },
    stop,
  };
}
