import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { DataStream } from './data-stream.js';

/** Connections of smtp-server, adapted to a local server with many short-lived clients. */

/**
 * Greets at once. smtp-server waits 100 ms for clients that send before the greeting, which detects spammers; a test suite that
 * opens a connection for each email would spend its time waiting.
 */
class PromptConnection extends SMTPConnection {
  #corked = false;

  override init(): void {
    this._setListeners(() => {
      const { connections, options } = this._server;
      if (connections.size <= (options.maxClients ?? Number.POSITIVE_INFINITY)) return this.connectionReady();
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
    // The library's default for 550 is 5.1.1, a mailbox that does not exist. This server refuses with it by policy only.
    super.send(code, data, code === 550 ? 'POLICY_VIOLATION' : context);
  }

  override _createParser(): DataStream {
    const parser = new DataStream();
    parser.oncommand = (command, callback) => this._onCommand(command, callback);
    parser.on('error', (error) => this.send(421, `Error: ${error.message}`));
    return parser;
  }
}

/** An SMTP server that greets at once, and whose connections can be ended. */
export class PromptServer extends SMTPServer {
  readonly sockets = new Set<Socket>();

  /** Creates no TLS context while STARTTLS is disabled: the library's own certificate would take time at each start. */
  override updateSecureContext(options?: SMTPServerOptions | null): void {
    if (this.options.secure || !this.options.disabledCommands?.includes('STARTTLS')) super.updateSecureContext(options);
  }

  override connect(socket: Socket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, socketOptions ?? undefined);
    this.connections.add(connection);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    // A client that disconnects or sends invalid commands is not an error of this server.
    connection.on('error', () => {});
    connection.init();
  }

  /** Closes connections between two messages, which have nothing to wait for. */
  closeIdle(): void {
    for (const connection of this.connections) {
      if (!connection.session.envelope?.mailFrom) connection.close();
    }
  }

  /** Closes every socket. smtp-server closes its half and gives clients five seconds to close theirs, which many never do. */
  destroySockets(): void {
    for (const socket of this.sockets) socket.destroySoon();
  }

  /** Disconnects the client of a session. */
  disconnect(session: SMTPServerSession, code: number, reason: string): void {
    const connection = [...this.connections].find((each) => each.session === session);
    if (!connection) return;
    connection.send(code, reason);
    connection._socket?.destroySoon();
  }
}
