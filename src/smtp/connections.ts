import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { disabledBy, needsTls, OPEN_ACCESS, type SmtpAccess, STARTTLS_FIRST } from './access.js';
import { type Notices, refusedMechanism } from './auth.js';
import { DataStream } from './data-stream.js';
import type { FaultInjector } from './faults.js';
import { handshakeFailure, TLS_ON_PLAIN_PORT, type TlsError, TO_TRUST, tlsOf, wordsOf } from './handshake.js';
import { hasUtf8, parameterWarnings, readablePath } from './paths.js';
import type { SessionRecorders } from './sessions/session-recorders.js';

/**
 * Connections of smtp-server, adapted to a local server with many short-lived clients. They replace methods that the
 * library does not document, so package.json names one version: test/smtp/smtp-server-proposal.md.
 */

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
class PromptConnection extends SMTPConnection {
  #corked = false;
  /** Whether the present command is AUTH. */
  #isAuth = false;

  get #recorder() {
    return (this._server as PromptServer).recorders.of(this.id);
  }

  override init(): void {
    this._setListeners(() => {
      const { connections, options } = this._server;
      if (connections.size <= (options.maxClients ?? Number.POSITIVE_INFINITY)) {
        const greet = () => this.connectionReady();
        return this.#faults ? this.#faults.atConnect(this, greet) : greet();
      }
      this.send(421, 'too many connections; try again later', false);
      // Without waiting for the client to close its half: file descriptors are scarce.
      this._socket.destroySoon();
    });
  }

  /** Sends the replies to commands that arrived together in one write, which is one system call. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const socket = this._socket;
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

  /** Hides AUTH until TLS has begun where it must: nothing invites a client to send its password in clear text. */
  override _isSupported(command: string): boolean {
    const isHidden =
      !this.#isAuth &&
      command.trim().toUpperCase() === 'AUTH' &&
      needsTls(this.session, (this._server as PromptServer).access);
    return !isHidden && super._isSupported(command);
  }

  override _parseAddressCommand(name: string, command: Buffer | string) {
    const text = command.toString();
    const { command: readable, address } = readablePath(text);
    const parsed = super._parseAddressCommand(name, readable);
    if (!parsed) return parsed;
    const path = /^mail/i.test(name) ? 'from' : 'to';
    const { mailFrom } = this.session.envelope;
    const withUtf8 = hasUtf8(path === 'from' ? parsed : mailFrom || parsed);
    const announced = parameterWarnings(path, text, parsed.args, withUtf8);
    return { ...parsed, ...(address && { address }), ...(announced.length > 0 && { announced }) };
  }

  override _getHandler(command: string) {
    const handler = super._getHandler(command);
    return this.#faults ? this.#faults.handlerOf(this, command, handler) : handler;
  }

  get #faults(): FaultInjector | undefined {
    return (this._server as PromptServer).faults;
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.#recorder?.command(command, this._nextHandler !== false);
    this.#isAuth = /^auth\b/i.test(command.toString('latin1', 0, 5));
    super._onCommand(command, callback);
  }

  override _refuse(...refusal: Parameters<SMTPConnection['_refuse']>): void {
    this.#recorder?.ended('refused');
    super._refuse(...refusal);
  }

  override _onTimeout(): void {
    const wasClosing = this._closing;
    super._onTimeout();
    if (this._closing && !wasClosing) this.#recorder?.ended('timed_out');
  }

  override handler_STARTTLS(command: Buffer, callback: () => void): void {
    if (!this.#refuseDisabled('STARTTLS', callback)) super.handler_STARTTLS(command, callback);
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (this.#refuseDisabled('AUTH', callback)) return;
    const { access } = this._server as PromptServer;
    const mechanism = this.session.user ? undefined : refusedMechanism(command, access);
    if (!needsTls(this.session, access) && mechanism === undefined) {
      super.handler_AUTH(command, callback);
      return;
    }
    if (needsTls(this.session, access)) this.send(530, STARTTLS_FIRST);
    else this.send(504, mechanism);
    callback();
  }

  /** Refuses a command that is not offered, with the name of the flag that would enable it. Returns whether it did. */
  #refuseDisabled(command: 'STARTTLS' | 'AUTH', callback: () => void): boolean {
    const server = this._server as PromptServer;
    const disabled =
      this.secure && command === 'STARTTLS' ? undefined : disabledBy(command, server.access, server.options);
    if (!disabled) return false;
    server.notices?.report(this.remoteAddress, disabled.notice);
    this.send(502, disabled.reply);
    callback();
    return true;
  }

  override upgrade(callback: () => void, secureCallback?: () => void): void {
    const socket = this._socket;
    const { sockets } = this._server as PromptServer;
    // The reply to STARTTLS is the last one without TLS.
    socket.uncork();
    super.upgrade(callback, () => {
      sockets.delete(socket);
      sockets.add(this._socket);
      this.#recorder?.secured(tlsOf(this));
      secureCallback?.();
    });
  }

  /** Notes why a client ended the TLS handshake. */
  failed({ code }: TlsError): void {
    if (!this._upgrading || !code?.includes('_ALERT_')) return;
    this.#recorder?.fail(`the TLS handshake failed: the client sent the alert ${wordsOf(code)}`);
    this.#recorder?.ended('client_closed');
  }

  /** Called once the socket is closed, also when the client refused the certificate. */
  override _onClose(): void {
    super._onClose();
    const { sockets, recorders } = this._server as PromptServer;
    sockets.delete(this._socket);
    if (this._upgrading) this.#recorder?.fail('the TLS handshake failed');
    recorders.closed(this);
  }

  override _createParser(): DataStream {
    const parser = new DataStream();
    parser.oncommand = (command, callback) => this._onCommand(command, callback);
    parser.on('error', (error) => this.send(421, `Error: ${error.message}`));
    if (!this.secure) parser.onTls = () => this.#refuseTls();
    return parser;
  }

  #refuseTls(): void {
    (this._server as PromptServer).notices?.report(this.remoteAddress, TLS_ON_PLAIN_PORT.notice);
    this.#recorder?.fail(TLS_ON_PLAIN_PORT.reason);
    this.#recorder?.ended('refused');
    this.close();
  }
}

/** An SMTP server that greets at once, and whose connections can be ended. */
export class PromptServer extends SMTPServer {
  readonly sockets = new Set<Socket>();
  access: SmtpAccess = OPEN_ACCESS;
  notices: Notices | undefined;
  faults: FaultInjector | undefined;

  constructor(
    options: SMTPServerOptions,
    readonly recorders: SessionRecorders,
  ) {
    super(options);
    this.logger = recorders.logger;
  }

  /** Shares its connections with another server, so that one limit applies to both. */
  shareConnections({ connections }: PromptServer): void {
    this.connections = connections;
  }

  /** Reports clients that do not trust the certificate. Other errors of clients are not errors of this server. */
  onClientError(error: TlsError, address = error.meta?.remoteAddress ?? ''): void {
    if (!error.code?.includes('_ALERT_')) return;
    this.notices?.report(address, `refused the TLS certificate (${wordsOf(error.code)}). ${TO_TRUST}`);
  }

  /** Creates no TLS context while STARTTLS is disabled: the library's own certificate would take time at each start. */
  override updateSecureContext(options?: SMTPServerOptions | null): void {
    if (!this.options.hideSTARTTLS) super.updateSecureContext(options);
  }

  /** Performs the handshake of a port with TLS. The session begins after it. */
  override _upgrade(...[socket, callback]: Parameters<SMTPServer['_upgrade']>): void {
    // Read now: a closed socket has no address.
    const client = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    super._upgrade(socket, (error, tlsSocket) => {
      if (error) {
        const { reason, ending, notice } = handshakeFailure(error);
        this.recorders.unbegun(client, reason, ending);
        if (notice) this.notices?.report(client.address, notice);
      }
      callback(error, tlsSocket);
    });
  }

  override connect(socket: Socket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, socketOptions ?? undefined);
    this.connections.add(connection);
    this.recorders.begin(connection);
    if (connection.secure) this.recorders.of(connection.id)?.secured(tlsOf(connection));
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
      if (connection._closing || connection.session.envelope?.mailFrom) continue;
      if (!connection._upgrading) connection.send(421, STOPPING);
      connection.close();
    }
  }

  /** Closes every socket. smtp-server closes its half and gives clients five seconds to close theirs, which many never do. */
  destroySockets(): void {
    for (const socket of this.sockets) socket.destroySoon();
  }

  connectionOf(session: SMTPServerSession): SMTPConnection | undefined {
    return [...this.connections].find((each) => each.session === session);
  }

  /** Disconnects the client of a session, which took too long. */
  disconnect(session: SMTPServerSession, code: number, reason: string): void {
    const connection = this.connectionOf(session);
    if (!connection) return;
    this.recorders.of(connection.id)?.ended('timed_out');
    connection.send(code, reason);
    connection._socket?.destroySoon();
  }
}
