import type { Socket } from 'node:net';
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { disabledBy, needsTls, type SmtpAccess, STARTTLS_FIRST } from './access.js';
import { type Notices, refusedMechanism } from './auth.js';
import { DataStream } from './data-stream.js';
import type { FaultInjector } from './faults.js';
import { handshakeFailure, TLS_ON_PLAIN_PORT, type TlsError, TO_TRUST, tlsOf, wordsOf } from './handshake.js';
import { LibraryConnection, LibraryServer, type Refusal, type SMTPConnectionOptions, type Upgrade } from './library.js';
import { hasUtf8, parameterWarnings, readablePath } from './paths.js';
import type { SessionRecorder } from './sessions/session-recorder.js';
import type { SessionRecorders } from './sessions/session-recorders.js';

/** Connections of smtp-server, adapted to a local server with many short-lived clients. */

/** The reply to clients that are connected when the server stops. They try again later. */
const STOPPING = '4.3.2 the server is stopping; try again later';

/** An enhanced status code at the start of a reply's text, in place of the library's. */
const OWN_STATUS_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

/**
 * Enhanced status codes of replies whose default differs: a mailbox that does not exist, and one that is full. This server
 * refuses with them by policy, and messages that are too large.
 */
const STATUS_CODES: Partial<Record<number, string>> = { 550: 'POLICY_VIOLATION', 552: 'MESSAGE_TOO_BIG' };

/**
 * Greets at once. smtp-server waits 100 ms for clients that send before the greeting, which detects spammers; a test suite that
 * opens a connection for each email would spend its time waiting.
 */
class PromptConnection extends LibraryConnection<PromptServer> {
  #corked = false;
  /** Whether the present command is AUTH. */
  #isAuth = false;

  /** The record of this session; undefined if sessions are not recorded. */
  get recorder(): SessionRecorder | undefined {
    return this.server.recorders.of(this.id);
  }

  protected override begin(): void {
    const { connections, options, faults } = this.server;
    if (connections.size > (options.maxClients ?? Number.POSITIVE_INFINITY)) {
      this.send(421, 'too many connections; try again later', false);
      // Without waiting for the client to close its half: file descriptors are scarce.
      this.socket.destroySoon();
    } else if (faults) {
      faults.atConnect(this, () => this.connectionReady());
    } else {
      this.connectionReady();
    }
  }

  protected override createStream(): DataStream {
    const parser = new DataStream();
    parser.oncommand = (line, done) => this.receiveLine(line, done);
    parser.on('error', (error) => this.send(421, `Error: ${error.message}`));
    if (!this.secure) parser.onTls = () => this.#refuseTls();
    return parser;
  }

  #refuseTls(): void {
    this.server.notices.report(this.remoteAddress, TLS_ON_PLAIN_PORT.notice);
    this.recorder?.fail(TLS_ON_PLAIN_PORT.reason);
    this.recorder?.ended('refused');
    this.close();
  }

  protected override receiveLine(line: Buffer, done?: () => void): void {
    this.recorder?.command(line, this.continuesAuth);
    this.#isAuth = /^auth\b/i.test(line.toString('latin1', 0, 5));
    super.receiveLine(line, done);
  }

  protected override handlerOf(command: string) {
    const handler = super.handlerOf(command);
    const { faults } = this.server;
    return faults ? faults.handlerOf(this, command, handler) : handler;
  }

  /** Hides AUTH until TLS has begun where it must: nothing invites a client to send its password in clear text. */
  protected override supports(command: string): boolean {
    const isHidden =
      !this.#isAuth && command.trim().toUpperCase() === 'AUTH' && needsTls(this.session, this.server.access);
    return !isHidden && super.supports(command);
  }

  protected override startTls(command: Buffer, done: () => void): void {
    if (!this.#refuseDisabled('STARTTLS', done)) super.startTls(command, done);
  }

  override upgrade(callback: () => void, secureCallback?: () => void): void {
    const { socket } = this;
    const { sockets } = this.server;
    // The reply to STARTTLS is the last one without TLS.
    socket.uncork();
    super.upgrade(callback, () => {
      sockets.delete(socket);
      sockets.add(this.socket);
      this.recorder?.secured(tlsOf(this));
      secureCallback?.();
    });
  }

  protected override logIn(command: Buffer, done: () => void): void {
    if (this.#refuseDisabled('AUTH', done)) return;
    const { access } = this.server;
    const mechanism = this.session.user ? undefined : refusedMechanism(command, access);
    if (!needsTls(this.session, access) && mechanism === undefined) {
      super.logIn(command, done);
      return;
    }
    if (needsTls(this.session, access)) this.send(530, STARTTLS_FIRST);
    else this.send(504, mechanism);
    done();
  }

  /** Refuses a command that is not offered, with the name of the flag that would enable it. Returns whether it did. */
  #refuseDisabled(command: 'STARTTLS' | 'AUTH', done: () => void): boolean {
    const { access, options, notices } = this.server;
    const disabled = this.secure && command === 'STARTTLS' ? undefined : disabledBy(command, access, options);
    if (!disabled) return false;
    notices.report(this.remoteAddress, disabled.notice);
    this.send(502, disabled.reply);
    done();
    return true;
  }

  override parsePath(name: string, command: Buffer | string) {
    const text = command.toString();
    const { command: readable, address } = readablePath(text);
    const parsed = super.parsePath(name, readable);
    if (!parsed) return parsed;
    const path = /^mail/i.test(name) ? 'from' : 'to';
    const { mailFrom } = this.session.envelope;
    const withUtf8 = hasUtf8(path === 'from' ? parsed : mailFrom || parsed);
    const announced = parameterWarnings(path, text, parsed.args, withUtf8);
    return { ...parsed, ...(address && { address }), ...(announced.length > 0 && { announced }) };
  }

  /** Sends the replies to commands that arrived together in one write, which is one system call. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const { socket } = this;
    if (socket && !this.#corked) {
      this.#corked = true;
      socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        socket.uncork();
      });
    }
    const hasOwnCode = typeof data === 'string' && OWN_STATUS_CODE.test(data);
    super.send(code, data, hasOwnCode ? false : (STATUS_CODES[code] ?? context));
  }

  protected override refuseSession(...refusal: Refusal): void {
    this.recorder?.ended('refused');
    super.refuseSession(...refusal);
  }

  protected override timeOut(): void {
    const wasClosing = this.isClosing;
    super.timeOut();
    if (this.isClosing && !wasClosing) this.recorder?.ended('timed_out');
  }

  /** Notes why a client ended the TLS handshake. */
  failed({ code }: TlsError): void {
    if (!this.isUpgrading || !code?.includes('_ALERT_')) return;
    this.recorder?.fail(`the TLS handshake failed: the client sent the alert ${wordsOf(code)}`);
    this.recorder?.ended('client_closed');
  }

  /** Called once the socket is closed, also when the client refused the certificate. */
  protected override end(): void {
    super.end();
    const { sockets, recorders } = this.server;
    sockets.delete(this.socket);
    if (this.isUpgrading) this.recorder?.fail('the TLS handshake failed');
    recorders.closed(this);
  }
}

/** What the listeners of a service share. */
export interface ListenerDeps {
  access: SmtpAccess;
  notices: Notices;
  recorders: SessionRecorders;
  /** Undefined for a service without faults. */
  faults: FaultInjector | undefined;
}

/** An SMTP server that greets at once, and whose connections can be ended. */
export class PromptServer extends LibraryServer {
  declare connections: Set<PromptConnection>;
  readonly sockets = new Set<Socket>();
  readonly access: SmtpAccess;
  readonly notices: Notices;
  readonly recorders: SessionRecorders;
  readonly faults: FaultInjector | undefined;

  constructor(options: SMTPServerOptions, { access, notices, recorders, faults }: ListenerDeps) {
    super(options);
    this.access = access;
    this.notices = notices;
    this.recorders = recorders;
    this.faults = faults;
    this.logger = recorders.logger;
  }

  /** Shares its connections with another server, so that one limit applies to both. */
  shareConnections({ connections }: PromptServer): void {
    this.connections = connections;
  }

  /** Reports clients that do not trust the certificate. Other errors of clients are not errors of this server. */
  onClientError(error: TlsError, address = error.meta?.remoteAddress ?? ''): void {
    if (!error.code?.includes('_ALERT_')) return;
    this.notices.report(address, `refused the TLS certificate (${wordsOf(error.code)}). ${TO_TRUST}`);
  }

  /** Creates no TLS context while STARTTLS is disabled: the library's own certificate would take time at each start. */
  override updateSecureContext(options?: SMTPServerOptions | null): void {
    if (!this.options.hideSTARTTLS) super.updateSecureContext(options);
  }

  /** Performs the handshake of a port with TLS. The session begins after it. */
  protected override beginTls(...[socket, callback]: Upgrade): void {
    // Read now: a closed socket has no address.
    const client = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    super.beginTls(socket, (error, tlsSocket) => {
      if (error) {
        const { reason, ending, notice } = handshakeFailure(error);
        this.recorders.unbegun(client, reason, ending);
        if (notice) this.notices.report(client.address, notice);
      }
      callback(error, tlsSocket);
    });
  }

  override connect(socket: Socket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, socketOptions ?? undefined);
    this.connections.add(connection);
    this.recorders.begin(connection);
    if (connection.secure) connection.recorder?.secured(tlsOf(connection));
    this.sockets.add(socket);
    // A client that disconnects or sends invalid commands is not an error of this server.
    connection.on('error', (error) => {
      connection.failed(error);
      this.onClientError(error, connection.remoteAddress);
    });
    connection.init();
  }

  /** Closes connections between two messages, which have nothing to wait for. */
  closeIdle(): void {
    for (const connection of this.connections) {
      if (connection.isClosing || connection.session.envelope?.mailFrom) continue;
      if (!connection.isUpgrading) connection.send(421, STOPPING);
      connection.close();
    }
  }

  /** Closes every socket. smtp-server closes its half and gives clients five seconds to close theirs, which many never do. */
  destroySockets(): void {
    for (const socket of this.sockets) socket.destroySoon();
  }

  connectionOf(session: SMTPServerSession): PromptConnection | undefined {
    return [...this.connections].find((each) => each.session === session);
  }

  /** Disconnects the client of a session, which took too long. */
  disconnect(session: SMTPServerSession, code: number, reason: string): void {
    const connection = this.connectionOf(session);
    if (!connection) return;
    connection.recorder?.ended('timed_out');
    connection.send(code, reason);
    connection.socket?.destroySoon();
  }
}
