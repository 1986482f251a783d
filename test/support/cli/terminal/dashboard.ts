import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEARTBEAT_MS } from '../../../../src/core/streams/server-sent-events.js';
import { BINARY, NOWHERE, type Ready } from '../binary.js';
import { openTerminal, type Terminal } from './terminal.js';

/** Opens `svc dev` on a terminal. */

export interface Dashboard extends Terminal {
  /** Returns the addresses of the server, once it is up. */
  address(): Pick<Ready, 'base_url' | 'smtp' | 'api_key' | 'webhook_secret'>;
}

export async function openDashboard(
  /** Null keeps everything in memory. */
  dataDir: string | null,
  {
    args = [],
    env = {},
    ...options
  }: { args?: string[]; columns?: number; rows?: number; env?: Record<string, string> } = {},
): Promise<Dashboard> {
  const storage = dataDir === null ? ['--in-memory'] : ['--data-dir', dataDir];
  const ports = ['--http-port', '0', '--smtp-port', '0', '--delivery-delay', '0'];
  const dev = [process.execPath, BINARY, 'dev', ...ports, ...storage, ...args];
  const place = { ...(dataDir === null && { SVC_DATA_DIR: NOWHERE }), ...env };
  const terminal = await openTerminal(dev, { columns: 120, rows: 30, ...options, env: place });
  return { ...terminal, address: () => JSON.parse(readFileSync(join(dataDir ?? '', 'server.json'), 'utf8')) };
}

/**
 * Returns an environment in which the server's streams have no heartbeat, so that only events change the panes. It
 * recognizes timers for heartbeats by their interval; `caught` returns whether any was set, from a file in the directory.
 */
export function withoutHeartbeat(directory: string): { env: Record<string, string>; caught(): boolean } {
  const record = join(directory, 'heartbeat-caught');
  const caught = `(writeFileSync(${JSON.stringify(record)},""),2**31-1)`;
  const later = `globalThis.setTimeout=(run,ms,...more)=>own(run,ms===${HEARTBEAT_MS}?${caught}:ms,...more)`;
  return {
    env: importing(`import{writeFileSync}from"node:fs";const own=setTimeout;${later}`),
    caught: () => existsSync(record),
  };
}

/** Returns an environment in which the signal SIGUSR2 runs this code inside svc, to cause a failure there. */
export function breakingBy(code: string): Record<string, string> {
  return importing(`process.on("SIGUSR2",()=>{${code}})`);
}

function importing(module: string): Record<string, string> {
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}` };
}
