import { Client, type Fetch } from '../client/client.js';
import { SERVICE_PREFIX } from '../contract/routes.js';
import { version } from '../version.js';
import { findDataDir, readRunningServer } from './data-dir.js';
import { type Embedded, openEmbedded } from './embedded.js';
import { UsageError } from './exit-codes.js';

/** Which server a command talks to: flag, then environment, then the data directory's running server, then none: in-process. */

export interface TargetFlags {
  'base-url'?: string | undefined;
  'api-key'?: string | undefined;
  'data-dir'?: string | undefined;
}

export interface Target {
  client: Client;
  kind: 'remote' | 'local' | 'embedded';
  baseUrl: string;
  /** Ends the use of the target; in-process, runs what is due first. */
  finish(): Promise<void>;
}

const userAgent = `svc-cli/${version}`;

export async function openTarget(flags: TargetFlags, env: NodeJS.ProcessEnv, cwd: string): Promise<Target> {
  const dataDir = findDataDir(flags['data-dir'], env, cwd);
  const named = flags['base-url'] ?? env.SVC_BASE_URL;
  const running = readRunningServer(dataDir);
  if (named) {
    const baseUrl = checkBaseUrl(named, flags['base-url'] ? '--base-url' : 'SVC_BASE_URL');
    const local = running?.base_url === baseUrl ? running : undefined;
    const apiKey = flags['api-key'] ?? env.SVC_API_KEY ?? local?.api_key;
    if (!apiKey) throw new UsageError(`No API key for ${baseUrl}.`, 'Set SVC_API_KEY, or give --api-key.');
    return overNetwork(baseUrl, apiKey, local ? 'local' : 'remote');
  }
  if (running) return overNetwork(running.base_url, flags['api-key'] ?? env.SVC_API_KEY ?? running.api_key, 'local');
  return inProcess(await openEmbedded(dataDir), flags['api-key'] ?? env.SVC_API_KEY);
}

function overNetwork(baseUrl: string, apiKey: string, kind: Target['kind']): Target {
  const client = new Client({ baseUrl, apiKey, userAgent, fetch: globalThis.fetch as unknown as Fetch });
  return { client, kind, baseUrl, finish: async () => {} };
}

function inProcess(embedded: Embedded, apiKey = embedded.apiKey): Target {
  const { baseUrl, fetch } = embedded;
  const client = new Client({ baseUrl, apiKey, userAgent, fetch });
  return { client, kind: 'embedded', baseUrl, finish: () => embedded.finish() };
}

function checkBaseUrl(value: string, source: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new UsageError(
      `${source} must be an http or https URL that ends with ${SERVICE_PREFIX}, not ${JSON.stringify(value)}.`,
    );
  }
  return value.replace(/\/$/, '');
}
