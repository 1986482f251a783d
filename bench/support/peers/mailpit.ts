import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort, getJson, measures, newDirectory, type Peer, startProgram, untilTrue } from './peer.js';

/** Starts Mailpit with a database in a file, and without its limit of 500 messages. */
export async function startMailpit(program: string): Promise<Peer> {
  const [, version = ''] = /v?(\d+\.\d+\.\d+)/.exec(execFileSync(program, ['version'], { encoding: 'utf8' })) ?? [];
  const directory = newDirectory();
  const [smtpPort, webPort] = [await freePort(), await freePort()];
  const addresses = ['--smtp', `127.0.0.1:${smtpPort}`, '--listen', `127.0.0.1:${webPort}`];
  const options = ['--database', join(directory, 'mailpit.db'), '--max', '0', '--smtp-disable-rdns', '--quiet'];
  const api = `http://127.0.0.1:${webPort}/api/v1`;
  const messages = (path: string) => getJson<{ messages: unknown[]; total: number }>(`${api}/${path}`);
  const { pid, stop } = await startProgram(program, [...addresses, ...options], `${api}/info`, directory);
  return {
    name: `Mailpit ${version}`.trim(),
    smtpPort,
    directory,
    ...measures(pid, directory),
    settled: (count) => untilTrue(async () => (await messages('messages?limit=1')).total >= count),
    list: async () => (await messages('messages?limit=50')).messages.length,
    search: async (word) => (await messages(`search?limit=50&query=${word}`)).messages.length,
    stop,
  };
}
