import type { AddressInfo } from 'node:net';
import type { SMTPServerOptions as LibraryOptions, SMTPServerAuthentication } from 'smtp-server';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { RECIPIENTS_MAX } from '../contract/vocabulary/limits.js';
import { FORM_PROBLEM, readAnyAddress } from '../contract/vocabulary/parsers/address.js';
import type { Faults } from '../core/faults/faults.js';
import type { ReceivedMessage } from '../core/model/received.js';
import type { SmtpSessionLog } from '../core/streams/smtp-session-log.js';
import { PromptServer } from './connections.js';
import { FaultInjector } from './faults.js';
import { MemoryBudget } from './memory-budget.js';
import { type InjectAtEnd, MESSAGE_BYTES, receive, type SmtpUser } from './receive.js';
import { refusal, type StrictChecks, strictRefusal } from './refusals.js';
import { SessionRecorders } from './sessions/session-recorders.js';

/** Binds smtp-server to the core. */

/** Bytes of unfinished messages beyond their first UNBUDGETED_BYTES, over all connections: four of the largest. Then 452. */
const UNFINISHED_BYTES = 4 * MESSAGE_BYTES;
/** Time for the content of a message, from DATA to the final dot. A slower client is disconnected with 421. */
export const CONTENT_TIMEOUT_MS = 10 * 60 * 1000;
const TOO_SLOW = `the message took longer than ${CONTENT_TIMEOUT_MS / 60_000} minutes`;
/** Concurrent connections. With those of HTTP they leave room for files under the common limit of 4,096 descriptors. */
const SMTP_CONNECTIONS_MAX = 2_048;
/** Time that a stop waits for messages that are being received. */
const CLOSE_TIMEOUT_MS = 300;

export interface SmtpServerOptions {
  /** Called when a client has connected. */
  onConnection(): void;
  /** Stores a message. Resolves with its ID when it is on disk. */
  accept(message: ReceivedMessage, workspace: string | null): Promise<string>;
  /** Returns the workspace of an API key; undefined if the key is invalid. */
  workspaceOfKey(value: string): Promise<string | null | undefined>;
  /** Returns whether a user name is the name of a workspace. */
  isWorkspace(name: string): Promise<boolean>;
  /** Calls back after a time of the system clock. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Finds what a strict server refuses; undefined for a server that announces it instead. */
  strict?: StrictChecks;
  /** Failures to inject. */
  faults?: Faults;
  /** Bytes of unfinished messages over all connections (default: UNFINISHED_BYTES). */
  unfinishedBytes?: number;
  /** Concurrent connections (default: SMTP_CONNECTIONS_MAX). */
  maxConnections?: number;
  /** Called with errors that were answered with 451. */
  onInternalError(error: unknown): void;
  /** Keeps a record of every session. */
  sessions?: SmtpSessionLog;
}

export interface SmtpService {
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Stops accepting connections, gives messages under way a moment to finish, and ends the rest. */
  close(): Promise<void>;
}

/** Builds the SMTP server. It does not listen yet. */
export function createSmtpServer(options: SmtpServerOptions): SmtpService {
  const recorders = new SessionRecorders(options.sessions);
  const library: LibraryOptions = {
    banner: 'svc',
    size: MESSAGE_BYTES,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // No client could trust a local certificate, and many clients upgrade whenever the server offers it.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    maxClients: options.maxConnections ?? SMTP_CONNECTIONS_MAX,
    logger: false,
    onConnect: (_session, callback) => {
      options.onConnection();
      callback();
    },
    onMailFrom: mailFromHandler(options),
    onRcptTo: rcptToHandler(options),
    onAuth: (auth, _session, callback) => {
      authenticate(auth, options).then(
        (user) => callback(null, { user }),
        (error: Error) => callback(error),
      );
    },
    onData: (...args) => receiveData(...args),
  };
  const server: PromptServer = new PromptServer(library, recorders);
  server.faults = options.faults && new FaultInjector(options.faults);
  const receiveData = receiveContent(options, recorders, server);
  return {
    listen: (host, port) => listen(server, host, port),
    close: () => close(server, options),
  };
}

function mailFromHandler({ strict, onInternalError }: SmtpServerOptions): Required<LibraryOptions>['onMailFrom'] {
  return ({ address }, _session, callback) => {
    const refused = address === '' ? null : refusalOf(address);
    if (refused || !strict) return callback(refused);
    strict.sender(address).then(
      (found) => callback(strictRefusal(found ? [found] : [])),
      (error: unknown) => {
        onInternalError(error);
        callback(refusal(451, 'the sender could not be checked; try again'));
      },
    );
  };
}

function rcptToHandler({ strict }: SmtpServerOptions): Required<LibraryOptions>['onRcptTo'] {
  return ({ address }, session, callback) => {
    if (session.envelope.rcptTo.length >= RECIPIENTS_MAX) {
      return callback(refusal(452, `at most ${RECIPIENTS_MAX} recipients a message`));
    }
    // RFC 5321 section 4.1.1.3: the recipient postmaster needs no domain, and is always accepted.
    if (address.toLowerCase() === 'postmaster') return callback(null);
    const refused = refusalOf(address);
    const found = strict?.recipient(address);
    callback(refused ?? (found ? strictRefusal([found]) : null));
  };
}

/** Returns the refusal of an address that is invalid in requests too; a domain of one label is accepted (gap 36). */
function refusalOf(address: string): Error | null {
  const read = readAnyAddress(address);
  if (!('problem' in read)) return null;
  // An envelope has no names, and smtp-server accepts address literals.
  const problem = read.problem === FORM_PROBLEM ? 'must be user@host with a domain name' : read.problem;
  return refusal(553, `invalid address: ${problem}`);
}

/** Accepts any name and password, as an application's settings may hold some; an API key must be valid. */
async function authenticate(
  { username = '', password }: SMTPServerAuthentication,
  { workspaceOfKey, isWorkspace }: SmtpServerOptions,
): Promise<SmtpUser> {
  const workspace = password && API_KEY_FORM.test(password) ? await workspaceOfKey(password) : null;
  if (workspace === undefined) throw refusal(535, 'the API key is unknown or has been revoked');
  return { workspace: workspace ?? ((await isWorkspace(username)) ? username : null) };
}

type OnData = Required<LibraryOptions>['onData'];

/** Returns the handler of message contents. It disconnects a session whose message takes too long. */
function receiveContent(options: SmtpServerOptions, recorders: SessionRecorders, server: PromptServer): OnData {
  const { accept, strict, onInternalError, after } = options;
  const budget = new MemoryBudget(options.unfinishedBytes ?? UNFINISHED_BYTES);
  const injectAtEnd: InjectAtEnd = async (session, message) => {
    const connection = options.faults?.any ? server.connectionOf(session) : undefined;
    return connection && server.faults?.atEnd(connection, message);
  };
  return (stream, session, callback) => {
    const cancel = after(CONTENT_TIMEOUT_MS, () => server.disconnect(session, 421, TOO_SLOW));
    stream.once('end', cancel).once('close', cancel);
    const recorder = recorders.of(session.id);
    const received = receive(stream, session, { accept, budget, strict, injectAtEnd, recorder, onInternalError });
    recorder?.receive(received);
    received.then(
      (id) => callback(null, `OK: queued as ${id}`),
      (error: Error) => callback(error),
    );
  };
}

/** An address to connect to, for a server that listens on all of them. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function listen(server: PromptServer, host: string, port: number): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    // The promise reports errors of the listener; without a listener for this event they would end the process.
    server.on('error', () => {});
    server.listen(port, host, () => {
      server.server.removeListener('error', reject);
      const { address, port: bound } = server.server.address() as AddressInfo;
      resolve({ host: REACHABLE[address] ?? address, port: bound });
    });
  });
}

async function close(server: PromptServer, { after }: SmtpServerOptions): Promise<void> {
  server.recorders.stop();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdle();
  });
  server.destroySockets();
  await server.recorders.allEnded(after);
}
