import type { SMTPServerDataResult, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
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
import { type ListenerDeps, PromptServer } from './connections.js';
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
  const deps: Deps = {
    access,
    notices,
    recorders,
    faults: options.faults && new FaultInjector(options.faults),
    logIn: authHandler({ ...options, access, notices }),
    accepted: new AcceptedRecipients(),
    budget: new MemoryBudget(options.unfinishedBytes ?? UNFINISHED_BYTES),
  };
  const listeners: Listener[] = [];
  const listenAlso = (kind: ListenerKind, where: Where) => {
    const listener = new Listener(kind, options, deps);
    if (listeners[0]) listener.shareConnections(listeners[0]);
    listeners.push(listener);
    return listenAt(listener, where);
  };
  return {
    listen: (host, port) => listenAlso('smtp', { host, port }),
    listenAlso,
    replaceCertificate: (files) => {
      for (const listener of listeners) listener.updateSecureContext({ ...files });
    },
    async close(graceMs = CLOSE_TIMEOUT_MS) {
      recorders.stop();
      await Promise.all(listeners.map((listener) => close(listener, graceMs, options.after)));
      await recorders.allEnded(options.after);
    },
  };
}

interface Deps extends ListenerDeps {
  logIn: ReturnType<typeof authHandler>;
  accepted: AcceptedRecipients;
  /** The memory of unfinished messages, over all listeners. */
  budget: MemoryBudget;
}

type Done = (error?: Error | null) => void;

/** One listener. The library calls its methods in the order of a session. */
class Listener extends PromptServer {
  constructor(
    kind: ListenerKind,
    private readonly service: SmtpServerOptions,
    private readonly deps: Deps,
  ) {
    const { access } = deps;
    super(
      {
        banner: 'svc',
        size: MESSAGE_BYTES,
        disableReverseLookup: true,
        socketTimeout: access.idleMs ?? IDLE_TIMEOUT_MS,
        hideENHANCEDSTATUSCODES: false,
        hideDSN: false,
        maxClients: service.maxConnections ?? SMTP_CONNECTIONS_MAX,
        logger: false,
        ...optionsOf(kind, access),
      },
      deps,
    );
    // Beyond a few that get a reply, connections are closed at once, because each uses a file descriptor.
    if (service.maxConnections) this.server.maxConnections = service.maxConnections + REFUSED_WITH_REPLY;
    offerMethods(this, access);
  }

  override onConnect(_session: SMTPServerSession, done: Done): void {
    this.service.onConnection();
    done();
  }

  override onAuth(...login: Parameters<Deps['logIn']>): void {
    this.deps.logIn(...login);
  }

  override onMailFrom({ address, announced = [] }: AnnouncedPath, session: SMTPServerSession, done: Done): void {
    const { strict, onInternalError } = this.service;
    const refused = this.#refusedSender(address, session);
    if (refused || !strict) {
      done(refused);
      return;
    }
    strict.sender(address, announced).then(
      (found) => done(strictRefusal(found)),
      (error: unknown) => {
        onInternalError(error);
        done(refusal(451, 'the sender could not be checked; try again'));
      },
    );
  }

  #refusedSender(address: string, session: SMTPServerSession): Error | null {
    if (needsTls(session, this.access)) return refusal(530, STARTTLS_FIRST);
    const problem = address === '' ? null : problemOfPath(address);
    return problem === null ? null : senderRefusal(problem);
  }

  override onRcptTo(path: AnnouncedPath, session: SMTPServerSession, done: Done): void {
    const refused = this.#refusedRecipient(path, session);
    if (!refused) this.deps.accepted.add(session);
    done(refused);
  }

  #refusedRecipient({ address, announced = [] }: AnnouncedPath, { envelope }: SMTPServerSession): Error | null {
    if (envelope.rcptTo.length >= RECIPIENTS_MAX) {
      return refusal(452, `at most ${RECIPIENTS_MAX} recipients a message`, TOO_MANY_RECIPIENTS);
    }
    // RFC 5321 section 4.1.1.3: the recipient postmaster needs no domain, and is always accepted.
    if (address.toLowerCase() === 'postmaster') return null;
    const problem = problemOfPath(address);
    if (problem !== null) return refusal(553, problem);
    return strictRefusal(this.service.strict?.recipient(address, announced) ?? []);
  }

  override onData(stream: SMTPServerDataStream, session: SMTPServerSession, callback: DataCallback): void {
    const { accept, strict, onInternalError, after } = this.service;
    const { accepted, budget } = this.deps;
    const cancel = after(CONTENT_TIMEOUT_MS, () => this.disconnect(session, 421, TOO_SLOW));
    stream.once('end', cancel).once('close', cancel);
    const reply = accepted.replier(session, callback);
    const recorder = this.recorders.of(session.id);
    const injectAtEnd: InjectAtEnd = (...args) => this.#injectAtEnd(...args);
    const received = receive(stream, session, { accept, budget, strict, injectAtEnd, recorder, onInternalError });
    recorder?.receive(received);
    received.then(
      (id) => reply(`OK: queued as ${id}`),
      (error: Error) => reply(error),
    );
  }

  async #injectAtEnd(...[session, message, parsed]: Parameters<InjectAtEnd>): ReturnType<InjectAtEnd> {
    const connection = this.service.faults?.any ? this.connectionOf(session) : undefined;
    return connection && this.faults?.atEnd(connection, message, parsed);
  }
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

type DataCallback = (error?: Error | null, reply?: string | SMTPServerDataResult[]) => void;

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
  replier({ envelope, transmissionType }: SMTPServerSession, callback: DataCallback): (result: string | Error) => void {
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
