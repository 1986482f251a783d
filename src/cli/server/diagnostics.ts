import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_HTTP_PORT, DEFAULT_SMTP_PORT } from '../../contract/vocabulary/routes.js';
import { SERVER_FILE } from '../../storage/data-dir-files.js';
import { databaseFile, describeUnusable } from '../data-dir/data-dir.js';
import type { FoundDataDir } from '../data-dir/find.js';
import type { RunningServer } from '../data-dir/server-file.js';
import { svcCommand } from '../data-dir/svc-command.js';
import { CommandError } from '../errors/exit-codes.js';
import type { Finding } from '../output/formatters/email.js';
import { systemNow } from '../output/local-time.js';
import { shellQuote } from '../output/text.js';
import { nearestExisting } from '../process/files.js';
import type { FoundServer } from '../target/running-server.js';
import type { Target, TargetChoice } from '../target/target.js';
import { portOwner } from './listen-errors.js';

/** Runs the checks of `svc doctor`. None of them changes anything. */

/** The oldest version that `engines` in package.json allows. */
const NODE_OLDEST = [20, 19] as const;
/**
 * Maximum clock difference: more than the duration of a call on a busy machine, and less than what breaks schedules or
 * the maximum age of signatures.
 */
const SKEW_MAX_MS = 5_000;

const passed = (check: string, found: string): Finding => ({ check, ok: true, found, fix: null });
const failed = (check: string, found: string, fix: string): Finding => ({ check, ok: false, found, fix });

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = NODE_OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return passed('node', version);
  return failed('node', version, `Install Node.js ${NODE_OLDEST.join('.')} or later: https://nodejs.org/`);
}

/** Reports a data directory that belongs to, or is writable by, another user. */
export function checkTrust({ refusal, warnings }: Pick<FoundDataDir, 'refusal' | 'warnings'>): Finding[] {
  return [
    ...(refusal ? [failed('data directory', refusal.message, refusal.hint ?? '')] : []),
    ...warnings.map(({ message, advice }) => failed('data directory', message, advice)),
  ];
}

export function checkDataDir(dataDir: string): Finding {
  // A missing directory is created in the nearest directory above it.
  const place = nearestExisting(dataDir);
  try {
    // Throws when the path is a file.
    readdirSync(place);
    accessSync(place, constants.W_OK | constants.X_OK);
    return passed('data directory', place === dataDir ? dataDir : `${dataDir} (created on first use)`);
  } catch (error) {
    const fix = 'Make it writable for this user, or use another with --data-dir or SVC_DATA_DIR.';
    return failed('data directory', describeUnusable(dataDir, error).replace(/\.$/, ''), fix);
  }
}

/** The result of looking for a server. It is an error where server.json cannot be used. */
export type ServerFound = FoundServer | CommandError | undefined;

/** Checks whether the server that server.json names is running. */
export function checkServer(dataDir: string, found: ServerFound): Finding {
  if (found instanceof CommandError) return failed('server', found.message, found.hint ?? '');
  if (found) {
    const { base_url, pid } = found.server;
    if (found.health) return passed('server', `running at ${base_url} (pid ${pid})`);
    const fix = `Resume it with "kill -CONT ${pid}" if it was suspended, or stop it with "${svcCommand('dev stop', dataDir)}".`;
    return failed('server', `pid ${pid} is running but does not answer at ${base_url}`, fix);
  }
  const file = join(dataDir, SERVER_FILE);
  if (!existsSync(file)) return passed('server', 'no local server is running');
  return failed(
    'server',
    `${file} names a server that does not answer`,
    `Start a server with "${svcCommand('dev', dataDir)}", or remove the file: rm ${shellQuote(file)}`,
  );
}

/** Checks whether a server could start on the default ports, or reports those of the running server. */
export async function checkPorts(running: RunningServer | undefined): Promise<Finding[]> {
  const ownHttp = running && Number(new URL(running.base_url).port);
  return Promise.all([
    checkPort('HTTP port', DEFAULT_HTTP_PORT, ownHttp, '--http-port'),
    checkPort('SMTP port', DEFAULT_SMTP_PORT, running?.smtp.port, '--smtp-port'),
  ]);
}

async function checkPort(check: string, port: number, own: number | undefined, flag: string): Promise<Finding> {
  if (own !== undefined) {
    return passed(
      check,
      port === own ? `${port} is in use by the running server` : `the running server uses ${own} instead of ${port}`,
    );
  }
  const error = await tryToListen(port);
  if (!error) return passed(check, `${port} is free`);
  const owner = portOwner(port);
  const found = error.code === 'EADDRINUSE' ? `${port} is in use${owner ? ` by ${owner}` : ''}` : error.message;
  return failed(check, found, `Stop the process that uses it, or start svc dev with ${flag} 0.`);
}

function tryToListen(port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Checks whether the target answers, accepts the API key, and has the same time as this machine. */
export async function checkTarget(
  choose: () => Promise<TargetChoice>,
  open: (choice: TargetChoice) => Promise<Target>,
  dataDir: string,
): Promise<Finding[]> {
  let choice: TargetChoice;
  try {
    choice = await choose();
  } catch (error) {
    return [failedTarget(error)];
  }
  if (choice.kind === 'embedded' && choice.conflict) return [failedTarget(choice.conflict)];
  if (choice.kind === 'embedded' && !existsSync(databaseFile(choice.dataDir))) {
    return [passed('target', `no server; commands use ${choice.dataDir} directly (the database does not exist yet)`)];
  }
  const where = choice.kind === 'embedded' ? choice.dataDir : choice.baseUrl;
  let target: Target | undefined;
  try {
    target = await open(choice);
    const before = systemNow();
    await target.client.call('emails.list', { query: { limit: 1 } });
    const serverTime = Date.parse(target.client.now ?? '');
    const found =
      choice.kind === 'embedded'
        ? `no server; commands use ${where} directly`
        : `${where} answers and accepts the API key (${choice.why})`;
    const answers = passed('target', found);
    const reset = choice.kind === 'remote' ? undefined : svcCommand('dev clock reset', dataDir);
    return [answers, checkSkew(serverTime, { before, after: systemNow() }, reset)];
  } catch (error) {
    return [failedTarget(error, `${where}: `)];
  } finally {
    await target?.finish();
  }
}

function failedTarget(error: unknown, where = ''): Finding {
  const { message, hint } = error as Error & { hint?: string };
  const fix = hint ?? 'Check --base-url, SVC_BASE_URL, SVC_API_KEY and "svc whoami".';
  return failed('target', `${where}${message}`, fix);
}

/**
 * Checks the difference of the clocks. The server answered at some instant between `before` and `after`. The clock of a
 * local server may be moved on purpose; `reset` is the command that moves it back.
 */
function checkSkew(
  serverTime: number,
  { before, after }: { before: number; after: number },
  reset: string | undefined,
): Finding {
  const ahead = Math.max(serverTime - after, 0) - Math.max(before - serverTime, 0);
  if (Number.isNaN(ahead)) return passed('clock', 'the server does not tell its time');
  if (Math.abs(ahead) <= SKEW_MAX_MS) return passed('clock', 'the server’s time matches this machine’s');
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const difference = `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
  if (reset !== undefined) return passed('clock', `moved: ${difference}; reset it with "${reset}"`);
  return failed(
    'clock',
    `the server is ${difference}`,
    '"svc dev clock" shows whether the service’s time was moved. If not, correct the clock of this machine or the server’s.',
  );
}
