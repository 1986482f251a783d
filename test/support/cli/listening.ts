import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { BINARY, type Ready, ROOT } from './binary.js';

/** Runs `svc webhooks listen` as a process of its own, and reads its output line by line. */

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever is printed, types would promise what they check
type Line = any;

export interface Listening {
  child: ChildProcess;
  ready: Line;
  /** Returns the next line as JSON, or as text when it is not JSON. */
  next(): Promise<Line>;
  /** Returns every line up to the first match, including it. */
  until(fits: (line: Line) => boolean): Promise<Line[]>;
  /** Sends a signal; returns the exit code and the text of stderr. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; stderr: string }>;
}

export async function startListening(
  args: string[],
  { env = {}, json = true }: { env?: Record<string, string>; json?: boolean } = {},
): Promise<Listening> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));
  const child = spawn(process.execPath, [BINARY, 'webhooks', 'listen', ...args, ...(json ? ['--json'] : [])], {
    cwd: ROOT,
    env: { ...inherited, SVC_CHECK_RESPONSES: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`svc webhooks listen ended: ${stderr}`);
    return json ? JSON.parse(value) : value;
  };
  return {
    child,
    ready: await next(),
    next,
    async until(fits) {
      const seen: Line[] = [];
      while (seen.length === 0 || !fits(seen.at(-1))) seen.push(await next());
      return seen;
    },
    async stop(signal) {
      child.kill(signal);
      const [code] = await closed;
      return { code, stderr };
    },
  };
}

/** Returns the environment that names a server. Its data directory does not lead to another one. */
export function remoteEnv({ base_url, api_key }: Ready, dataDir: string): Record<string, string> {
  return { SVC_BASE_URL: base_url, SVC_API_KEY: api_key, SVC_DATA_DIR: dataDir };
}
