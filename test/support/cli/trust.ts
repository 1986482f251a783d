import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { DevServer, Finished } from './binary.js';
import {
  type Installation,
  installForUsers,
  type Listener,
  type Machine,
  openMachine,
  startImpostor,
} from './users.js';

/** Provides the fixtures of the tests of trust: a user, another user, and a server that impersonates svc. */

export const KEY = { SVC_API_KEY: 'svc_live_0123456789abcdef0123456789abcdef' };
export const SEND = ['emails', 'send', '--to', 'ada@example.test', '--from', 'a@example.test', '--subject', 'secret'];

/** Set before each test of a file that calls `prepareMachine`. */
export let machine: Machine;
export let impostor: Listener;
/** Servers and processes that end after the test. */
export const running: { servers: DevServer[]; bystanders: ChildProcess[] } = { servers: [], bystanders: [] };

export function prepareMachine(): void {
  let installation: Installation;
  beforeAll(() => {
    installation = installForUsers();
  });
  afterAll(() => installation.remove());
  beforeEach(async () => {
    machine = openMachine(installation);
    impostor = await startImpostor('evil');
  });
  afterEach(async () => {
    for (const server of running.servers.splice(0)) await server.stop('SIGKILL');
    for (const child of running.bystanders.splice(0)) child.kill('SIGKILL');
    await impostor.close();
    machine.remove();
  });
}

export const lines = ({ stderr }: Finished) => stderr.trimEnd().split('\n');

export async function bystander(): Promise<ChildProcess> {
  const child = await machine.victim.startBystander();
  running.bystanders.push(child);
  return child;
}

/**
 * Returns what distinguishes a Linux process from others with its id: its start time and a digest of its command line,
 * in the form of server.json. Null on other systems.
 */
function identityOf(pid: number | undefined): string | null {
  try {
    const [, started] = /^.*\) (?:\S+ ){19}(\S+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return `${started} ${createHash('sha256')
      .update(readFileSync(`/proc/${pid}/cmdline`))
      .digest('hex')}`;
  } catch {
    return null;
  }
}

/** Returns a server.json as an attacker with full knowledge of a process would write it. */
export function serverFile(pid: number | undefined, changes: object = {}): string {
  return JSON.stringify({
    pid,
    process: identityOf(pid),
    instance: 'evil',
    base_url: impostor.baseUrl,
    smtp: { host: '127.0.0.1', port: impostor.port },
    data_dir: null,
    started_at: '2026-01-01T00:00:00.000Z',
    api_key: 'svc_test_known',
    webhook_secret: 'whsec_known',
    ...changes,
  });
}

export async function emailsOf(args: string[], options = {}): Promise<string[]> {
  const { stdout } = await machine.victim.svc(['emails', 'list', '--json', ...args], options);
  return JSON.parse(stdout).emails.map(({ subject }: { subject: string }) => subject);
}
