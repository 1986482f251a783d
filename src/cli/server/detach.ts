import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWNER_ONLY } from '../../file-modes.js';
import { LOG_FILE } from '../../storage/data-dir-files.js';
import { createDataDir, unusableDataDir } from '../data-dir/data-dir.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { safeJson } from '../output/text.js';
import { stdoutDrained } from '../process/write-stdout.js';
import { lineOfEvent, type readyFacts } from './startup-message.js';

/** Starts `svc dev` in the background. Its output is the log file of the data directory. */

/**
 * The variable through which the starting process hands over to the server. Process listings do not show it. It is not
 * documented for users.
 */
export const HANDOVER_VARIABLE = 'SVC_DETACHED_START';

interface Handover extends HandedSecrets {
  /** The log while the server is starting. */
  log: string;
}

/** Values of flags that process listings must not show. */
export interface HandedSecrets {
  apiKey?: string | undefined;
  /** Users of the SMTP server, as NAME:PASSWORD. */
  smtpUsers?: string[] | undefined;
}

/** What a server sends to the process that started it in the background, once it is ready. */
interface ReadyServer {
  /** The data directory that commands find it by; null when they cannot. */
  foundIn: string | null;
  /** Its addresses, for programs and for people. */
  facts: ReturnType<typeof readyFacts>;
  text: string;
}

/** What a server writes to stderr while it is starting. */
interface StartMessage {
  stderr: string;
}

/** How a start in the background ended. */
export type DetachedStart =
  | { ready: ReadyServer; logFile: string }
  /** The output of the server that was not passed on, and its exit code; null after a signal. */
  | { ready: undefined; output: string; code: number | null };

/** The log of this process, which was started in the background. */
export class BackgroundLog {
  readonly secrets: HandedSecrets;
  /** Resolves when the starting process ends before the server is ready. */
  readonly abandoned: Promise<void>;
  #file: string;
  #abandon = (): void => {};

  constructor({ log, ...secrets }: Handover) {
    this.secrets = secrets;
    this.#file = log;
    this.abandoned = new Promise((resolve) => {
      this.#abandon = () => {
        this.remove();
        resolve();
      };
    });
    if (process.connected) process.once('disconnect', this.#abandon);
    else this.#abandon();
    // The listener would keep a server running that cannot start.
    process.channel?.unref();
  }

  /**
   * Replaces the log of the server before this one, and reports to the starting process.
   * @throws CommandError if it cannot be replaced. The starting process then waits for this one to end.
   */
  ready(server: ReadyServer): void {
    if (!process.connected) return;
    process.off('disconnect', this.#abandon);
    if (server.foundIn !== null) {
      const file = join(dirname(this.#file), LOG_FILE);
      replace(file, this.#file);
      this.#file = file;
    }
    process.send?.(server, undefined, {}, () => process.connected && process.disconnect());
  }

  /** Writes a text to the log and, during the start, passes it on to the starting process, for its user. */
  write(text: string): void {
    process.stderr.write(text);
    if (process.connected) process.send?.({ stderr: text } satisfies StartMessage);
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

/** Returns the log of this process if `svc dev --detach` started it. Processes that this one starts do not get it. */
export function takeBackgroundLog(env: NodeJS.ProcessEnv): BackgroundLog | undefined {
  const handover = readHandover(env[HANDOVER_VARIABLE]);
  delete env[HANDOVER_VARIABLE];
  return handover && new BackgroundLog(handover);
}

/** Reads the value of the variable. Returns undefined for a value that the starting process does not set. */
function readHandover(value = ''): Handover | undefined {
  try {
    const handover = JSON.parse(value);
    return typeof handover?.log === 'string' ? handover : undefined;
  } catch {
    return undefined;
  }
}

function replace(file: string, by: string): void {
  try {
    renameSync(by, file);
  } catch (error) {
    throw new CommandError(
      `Cannot write ${file}: ${describeFileError(error)}.`,
      'Remove it, or choose another data directory with --data-dir or SVC_DATA_DIR.',
    );
  }
}

interface DetachedOptions {
  dataDir: string;
  secrets: HandedSecrets;
  /** Called with what the server writes to stderr during its start. */
  onStderr(text: string): void;
}

/**
 * Starts `svc dev` with these arguments in a session of its own, and waits until it is ready or has ended. The signal
 * ends a server that is still starting.
 */
export async function startDetached(
  args: readonly string[],
  { dataDir, secrets, onStderr }: DetachedOptions,
  signal: AbortSignal,
): Promise<DetachedStart> {
  createDataDir(dataDir);
  const logFile = join(dataDir, LOG_FILE);
  // The server replaces the log once it is ready: another one may be running, and writing to it.
  const log = `${logFile}.${process.pid}`;
  const child = spawnWith(args, { log, ...secrets }, openLog(log, dataDir));
  const cancel = () => child.kill();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const exited = once(child, 'exit').then(([code]) => ({ code: code as number | null }));
    const passedOn: string[] = [];
    const message = readyMessage(child, (text) => {
      passedOn.push(text);
      onStderr(text);
    });
    const first = await Promise.race([message, exited]);
    if ('foundIn' in first && first.foundIn !== null && !signal.aborted) return { ready: first, logFile };
    cancel();
    const { code } = await exited;
    // A server that was cancelled just when it was ready has already moved it.
    const output = existsSync(log) ? readFileSync(log, 'utf8') : '';
    return { ready: undefined, output: passedOn.reduce((rest, text) => rest.replace(text, () => ''), output), code };
  } finally {
    signal.removeEventListener('abort', cancel);
    rmSync(log, { force: true });
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** Resolves with the message of a server that is ready. */
function readyMessage(child: ChildProcess, onStderr: (text: string) => void): Promise<ReadyServer> {
  return new Promise((resolve) => {
    child.on('message', (message: StartMessage | ReadyServer) => {
      if ('stderr' in message) onStderr(message.stderr);
      else resolve(message);
    });
  });
}

function openLog(file: string, dataDir: string): number {
  try {
    return openSync(file, 'w', OWNER_ONLY);
  } catch (error) {
    throw unusableDataDir(dataDir, error);
  }
}

function spawnWith(args: readonly string[], handover: Handover, log: number): ChildProcess {
  const [, program = ''] = process.argv;
  try {
    return spawn(process.execPath, [...process.execArgv, program, 'dev', ...args], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...process.env, [HANDOVER_VARIABLE]: JSON.stringify(handover) },
    });
  } finally {
    closeSync(log);
  }
}

/** Flags whose values a server in the background gets in another way: process listings show arguments. */
const SECRET_FLAGS = ['--api-key', '--inbox-password', '--smtp-user'];

/** Returns the arguments of the server in the background. */
export function serverArgs(argv: readonly string[]): string[] {
  const isSecret = (word = '') => SECRET_FLAGS.some((flag) => word === flag || word.startsWith(`${flag}=`));
  const hasSecretValue = (word = '') => SECRET_FLAGS.includes(word);
  return argv.filter((word, index) => word !== '--detach' && !isSecret(word) && !hasSecretValue(argv[index - 1]));
}

/**
 * Prints events as they arrive, one per line, until the stream ends. After the signal, it prints only as long as the
 * reader keeps reading. Events that were not read yet are in the store, not in memory.
 */
export async function printEvents(events: AsyncIterable<string>, json: boolean, signal: AbortSignal): Promise<void> {
  for await (const payload of events) {
    if (process.stdout.writableCorked === 0) {
      // Events that have already arrived are written in one write.
      process.stdout.cork();
      setImmediate(() => process.stdout.uncork());
    }
    process.stdout.write(json ? `${safeJson(payload)}\n` : lineOfEvent(payload));
    if (!(await stdoutDrained(signal))) return;
  }
}
