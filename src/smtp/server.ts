import type { SMTPServerOptions as LibraryOptions, SMTPServerDataResult, SMTPServerSession } from 'smtp-server';
import { RECIPIENTS_MAX } from '../contract/vocabulary/limits.js';
import type { Faults } from '../core/faults/faults.js';
import type { WhenRead } from '../core/mail/inbound/inbound.js';
import type { Login } from '../core/mail/inbound/submission.js';
import type { ReceivedMessage } from '../core/model/received.js';
import type { SmtpSessionLog } from '../core/streams/logs.js';
import { needsTls, OPEN_ACCESS, type SmtpAccess, STARTTLS_FIRST, type TlsFiles } from './access.js';
import {
  type AuthDeps,
  authHandler,
  Notices,
  refusal,
  type SmtpKey,
  type StrictChecks,
  senderRefusal,
  strictRefusal,
} from './auth.js';
import { PromptServer } from './connections.js';
import { FaultInjector } from './faults.js';
import { type ListenerKind, listenAt, offerMethods, optionsOf, type Where } from './listeners.js';
import { MemoryBudget } from './message-buffer.js';
import { type AnnouncedPath, problemOfPath } from './paths.js';
import { type InjectAtEnd, MESSAGE_BYTES, receive } from './receive.js';
import { SessionRecorders } from './sessions/session-recorders.js';

/** Binds smtp-server to the core. */

/** Bytes of unfinished messages beyond their first UNBUDGETED_BYTES, over all connections: four of the largest. Then 452. */
const UNFINISHED_BYTES = 4 * MESSAGE_BYTES;
/** Time for the content of a message, from DATA to the final dot. A slower client is disconnected with 421. */
export const CONTENT_TIMEOUT_MS = 10 * 60 * 1000;
const TOO_SLOW = `the message took longer than ${CONTENT_TIMEOUT_MS / 60_000} minutes`;
/** Time without a byte from the client, as RFC 5321 section 4.5.3.2.7 asks: pools keep connections. Then 421. */
export const IDLE_TIMEOUT_MS = 5 * 60 * 1000;
/** Concurrent connections. With those of HTTP they leave room for files under the common limit of 4,096 descriptors. */
const SMTP_CONNECTIONS_MAX = 2_048;
/** The enhanced status code for it. The default for 452 is 4.2.2, a full mailbox. */
const TOO_MANY_RECIPIENTS = '4.5.3';
/** Connections beyond a limit for few open files that are refused with 421. */
const REFUSED_WITH_REPLY = 4;
/** Time that a stop waits for messages that are being received. */
const CLOSE_TIMEOUT_MS = 300;
/** How often it looks for connections whose message has been received. */
const IDLE_AGAIN_MS = 20;

export interface SmtpServerOptions {
  /** Called when a client has connected. */
  onConnection(): void;
  /** Stores a message. Resolves with its ID when it is on disk. @throws OverLimitError */
  accept(message: ReceivedMessage, login: Login, whenRead: WhenRead): Promise<string>;
  /** Returns an API key; undefined if it is invalid. */
  findKey(value: string): Promise<SmtpKey | undefined>;
  /** Limits attempts to guess passwords of users. */
  attempts: AuthDeps['attempts'];
  /** Returns whether a user name is the name of a workspace. */
  isWorkspace(name: string): Promise<boolean>;
  /** Calls back after a time of the system clock. Returns the function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Finds what a strict server refuses; undefined for a server that announces it instead. */
  strict?: StrictChecks;
  /** Failures to inject. */
  faults?: Faults;
  /** Keeps a record of every session. */
  sessions?: SmtpSessionLog;
  /** Bytes of unfinished messages over all connections (default: UNFINISHED_BYTES). */
  unfinishedBytes?: number;
  /** Concurrent connections (default: SMTP_CONNECTIONS_MAX). */
  maxConnections?: number;
  /** How clients connect and log in (default: without TLS, and with any name and password or none). */
  access?: SmtpAccess;
  /** Called with a line about a client that was refused, whose user may need it. */
  onNotice?(text: string): void;
  /** Called with errors that were answered with 451. */
  onInternalError(error: unknown): void;
}

export interface SmtpService {
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Listens with TLS from the first byte, or with LMTP. */
  listenAlso(kind: ListenerKind, where: Where): Promise<{ host: string; port: number }>;
  /** Uses another certificate for new connections, where they have TLS. */
  replaceCertificate(files: TlsFiles): void;
  /** Stops accepting connections, gives messages under way these milliseconds to finish, and ends the rest. */
  close(graceMs?: number): Promise<void>;
}

/** Builds the SMTP server. It does not listen yet. */
export function createSmtpServer(options: SmtpServerOptions): SmtpService {
  const access = options.access ?? OPEN_ACCESS;
  const notices = new Notices((text) => options.onNotice?.(text), options.after);
  const recorders = new SessionRecorders(options.sessions);
  const faults = options.faults && new FaultInjector(options.faults);
  const handlers = handlersOf(options, access, notices);
  const servers: PromptServer[] = [];
  const listenAlso = (kind: ListenerKind, where: Where) => {
    const library: LibraryOptions = {
      banner: 'svc',
      size: MESSAGE_BYTES,
      disableReverseLookup: true,
      socketTimeout: access.idleMs ?? IDLE_TIMEOUT_MS,
      hideENHANCEDSTATUSCODES: false,
      hideDSN: false,
      maxClients: options.maxConnections ?? SMTP_CONNECTIONS_MAX,
      logger: false,
      ...handlers(() => server),
      ...optionsOf(kind, access),
    };
    const server: PromptServer = new PromptServer(library, recorders);
    // Beyond a few that get a reply, connections are closed at once, because each uses a file descriptor.
    if (options.maxConnections) server.server.maxConnections = options.maxConnections + REFUSED_WITH_REPLY;
    if (servers[0]) server.shareConnections(servers[0]);
    Object.assign(server, { access, notices, faults });
    offerMethods(server, access);
    servers.push(server);
    return listenAt(server, where);
  };
  return {
    listen: (host, port) => listenAlso('smtp', { host, port }),
    listenAlso,
    replaceCertificate: (files) => {
      for (const server of servers) server.updateSecureContext({ ...files });
    },
    async close(graceMs = CLOSE_TIMEOUT_MS) {
      recorders.stop();
      await Promise.all(servers.map((server) => close(server, graceMs, options.after)));
      await recorders.allEnded(options.after);
    },
  };
}

type OnData = Required<LibraryOptions>['onData'];

/** Returns a function that makes the handlers of a listener. */
function handlersOf(options: SmtpServerOptions, access: SmtpAccess, notices: Notices) {
  const accepted = new AcceptedRecipients();
  const receiveWith = contentReceiver(options, accepted);
  return (server: () => PromptServer): LibraryOptions => ({
    onConnect: (_session, callback) => {
      options.onConnection();
      callback();
    },
    onMailFrom: mailFromHandler(options, access),
    onRcptTo: rcptToHandler(options, accepted),
    onAuth: authHandler({ ...options, access, notices }),
    onData: receiveWith(server),
  });
}

function mailFromHandler(
  { strict, onInternalError }: SmtpServerOptions,
  access: SmtpAccess,
): Required<LibraryOptions>['onMailFrom'] {
  return ({ address, announced = [] }: AnnouncedPath, session, callback) => {
    if (needsTls(session, access)) return callback(refusal(530, STARTTLS_FIRST));
    const problem = address === '' ? null : problemOfPath(address);
    if (problem !== null) return callback(senderRefusal(problem));
    if (!strict) return callback(null);
    strict.sender(address, announced).then(
      (found) => callback(strictRefusal(found)),
      (error: unknown) => {
        onInternalError(error);
        callback(refusal(451, 'the sender could not be checked; try again'));
      },
    );
  };
}

function rcptToHandler(
  { strict }: SmtpServerOptions,
  accepted: AcceptedRecipients,
): Required<LibraryOptions>['onRcptTo'] {
  return ({ address, announced = [] }: AnnouncedPath, session, done) => {
    const callback = (error: Error | null) => {
      if (!error) accepted.add(session);
      done(error);
    };
    if (session.envelope.rcptTo.length >= RECIPIENTS_MAX) {
      return callback(refusal(452, `at most ${RECIPIENTS_MAX} recipients a message`, TOO_MANY_RECIPIENTS));
    }
    // RFC 5321 section 4.1.1.3: the recipient postmaster needs no domain, and is always accepted.
    if (address.toLowerCase() === 'postmaster') return callback(null);
    const problem = problemOfPath(address);
    if (problem !== null) return callback(refusal(553, problem));
    callback(strictRefusal(strict?.recipient(address, announced) ?? []));
  };
}

/** Returns a function that makes the handler of message contents, for all listeners within one memory budget. */
function contentReceiver(options: SmtpServerOptions, accepted: AcceptedRecipients) {
  const { accept, strict, onInternalError, after } = options;
  const budget = new MemoryBudget(options.unfinishedBytes ?? UNFINISHED_BYTES);
  return (server: () => PromptServer): OnData => {
    const injectAtEnd: InjectAtEnd = async (session, message, parsed) => {
      const connection = options.faults?.any ? server().connectionOf(session) : undefined;
      return connection && server().faults?.atEnd(connection, message, parsed);
    };
    return (stream, session, callback) => {
      const cancel = after(CONTENT_TIMEOUT_MS, () => server().disconnect(session, 421, TOO_SLOW));
      stream.once('end', cancel).once('close', cancel);
      const reply = accepted.replier(session, callback);
      const recorder = server().recorders.of(session.id);
      const received = receive(stream, session, { accept, budget, strict, injectAtEnd, recorder, onInternalError });
      recorder?.receive(received);
      received.then(
        (id) => reply(`OK: queued as ${id}`),
        (error: Error) => reply(error),
      );
    };
  };
}

function close(server: PromptServer, graceMs: number, after: SmtpServerOptions['after']): Promise<void> {
  return new Promise((resolve) => {
    let cancel = () => {};
    server.options.closeTimeout = graceMs;
    server.close(() => {
      cancel();
      server.destroySockets();
      resolve();
    });
    // A connection whose message is stored has nothing to wait for either.
    const closeIdle = () => {
      server.closeIdle();
      cancel = after(IDLE_AGAIN_MS, closeIdle);
    };
    closeIdle();
  });
}

/** LMTP answers the end of a message once for each accepted RCPT command. RFC 2033 section 4.2. */

type Callback = (error?: Error | null, reply?: string | SMTPServerDataResult[]) => void;

/**
 * Counts accepted recipients. smtp-server keeps a repeated recipient once and would answer once, while its client waits
 * for another reply.
 */
class AcceptedRecipients {
  // smtp-server creates an envelope for each transaction.
  readonly #counts = new WeakMap<object, number>();

  add({ envelope }: SMTPServerSession): void {
    this.#counts.set(envelope, (this.#counts.get(envelope) ?? 0) + 1);
  }

  /** Returns a function that replies to the content of a message: once over SMTP, once per recipient over LMTP. */
  replier({ envelope, transmissionType }: SMTPServerSession, callback: Callback): (result: string | Error) => void {
    const isLmtp = transmissionType.includes('LMTP');
    const count = this.#counts.get(envelope) ?? 0;
    return (result) => {
      if (isLmtp)
        callback(
          null,
          Array.from({ length: count }, () => result),
        );
      else if (typeof result === 'string') callback(null, result);
      else callback(result);
    };
  }
}
