import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { RECIPIENTS_MAX } from '../contract/vocabulary/limits.js';
import type { ReceivedMessage } from '../core/model.js';
import { DataStream } from './data-stream.js';
import { MemoryBudget } from './memory-budget.js';
import { MessageBuffer } from './message-buffer.js';

/** Binds smtp-server to the core. */

/** What REST takes as a body: 25 MiB of attachments make 34 MiB in base64; the rest is text and headers. */
export const MESSAGE_BYTES = 40 * 1024 * 1024;
/** Bytes of unfinished messages beyond their first UNBUDGETED_BYTES, over all connections: four of the largest. Then 452. */
export const UNFINISHED_BYTES = 4 * MESSAGE_BYTES;
/** Time for the content of a message, from DATA to the final dot. A slower client is disconnected with 421. */
export const CONTENT_TIMEOUT_MS = 10 * 60 * 1000;
/** Connections at the same time. With those of HTTP they leave room for files under the common limit of 4,096 descriptors. */
export const SMTP_CONNECTIONS_MAX = 2_048;
/** How long a stop waits for messages in transmission. */
const CLOSE_TIMEOUT_MS = 300;

export interface SmtpServerOptions {
  /** Called when a client has connected. */
  onConnection(): void;
  /** Resolves with the message's id when it is on disk. */
  accept(message: ReceivedMessage): Promise<string>;
  /** Returns whether a password in the form of an API key is a valid one. */
  isKey(value: string): Promise<boolean>;
  /** Calls back after a time of the machine's clock, unless it is cancelled. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Bytes of unfinished messages over all connections (default: UNFINISHED_BYTES). */
  unfinishedBytes?: number;
  /** Connections at the same time (default: SMTP_CONNECTIONS_MAX). */
  maxConnections?: number;
  /** Called with errors that were answered with 451. */
  onInternalError(error: unknown): void;
}

export interface SmtpService {
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Accepts no new connections, waits briefly for messages in transmission, then ends the rest. */
  close(): Promise<void>;
}

/**
 * Greets at once. smtp-server waits 100 ms for clients that send before the greeting, which detects spammers; a test
 * suite that opens a connection per message would spend its time there.
 */
class PromptConnection extends SMTPConnection {
  #corked = false;

  override init(): void {
    this._setListeners(() => {
      const { connections, options } = this._server;
      if (connections.size <= (options.maxClients ?? Number.POSITIVE_INFINITY)) return this.connectionReady();
      this.send(421, 'too many connections; try again later', false);
      // Without waiting for the client to close its half: descriptors are scarce.
      this._socket.destroySoon();
    });
  }

  /** Sends the replies to pipelined commands together: each write of a socket is a system call. */
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
    super.send(code, data, context);
  }

  override _createParser(): DataStream {
    const parser = new DataStream();
    parser.oncommand = (command, callback) => this._onCommand(command, callback);
    parser.on('error', (error) => this.send(421, `Error: ${error.message}`));
    return parser;
  }
}

class PromptServer extends SMTPServer {
  readonly sockets = new Set<Socket>();

  override connect(socket: Socket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, socketOptions ?? undefined);
    this.connections.add(connection);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    // A client that disconnects or violates the protocol is not a fault of this server.
    connection.on('error', () => {});
    connection.init();
  }
}

export function createSmtpServer(options: SmtpServerOptions): SmtpService {
  const budget = new MemoryBudget(options.unfinishedBytes ?? UNFINISHED_BYTES);
  const server = new PromptServer({
    banner: 'svc',
    size: MESSAGE_BYTES,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // No certificate here could be trusted by a client, and many clients upgrade whenever STARTTLS is offered.
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
    onMailFrom: (_address, _session, callback) => callback(),
    onRcptTo: (_address, session, callback) => {
      if (session.envelope.rcptTo.length < RECIPIENTS_MAX) callback();
      else callback(refusal(452, `at most ${RECIPIENTS_MAX} recipients a message`));
    },
    onAuth: ({ username, password }, _session, callback) => {
      // Any name and password are accepted, as an application's settings may contain some; an API key must be valid.
      if (!password || !API_KEY_FORM.test(password)) return callback(null, { user: username ?? 'anonymous' });
      options.isKey(password).then(
        (known) =>
          callback(known ? null : refusal(535, 'the API key is unknown or has been revoked'), { user: username ?? '' }),
        (error: Error) => callback(error),
      );
    },
    onData: (stream, session, callback) => {
      const cancel = options.after(CONTENT_TIMEOUT_MS, () => endSlow(server, session));
      stream.once('end', cancel).once('close', cancel);
      receive(stream, session, options, budget).then(
        (id) => callback(null, `OK: queued as ${id}`),
        (error: Error) => callback(error),
      );
    },
  });
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.server.once('error', reject);
        // Errors of the listener are reported to its listeners; without one for this event they would end the process.
        server.on('error', () => {});
        server.listen(port, host, () => {
          server.server.removeListener('error', reject);
          const { address, port: bound } = server.server.address() as AddressInfo;
          resolve({ host: address, port: bound });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          // smtp-server closes its half and gives the client five seconds to close the other, which many never do.
          for (const socket of server.sockets) socket.destroySoon();
          resolve();
        });
        // A connection between two messages has nothing to wait for.
        for (const connection of server.connections) if (isIdle(connection)) connection.close();
      }),
  };
}

function isIdle(connection: SMTPConnection): boolean {
  return !connection.session.envelope?.mailFrom;
}

/** Disconnects the client of a session whose message takes too long. */
function endSlow(server: PromptServer, session: SMTPServerSession): void {
  const connection = [...server.connections].find((each) => each.session === session);
  if (!connection) return;
  connection.send(421, `the message took longer than ${CONTENT_TIMEOUT_MS / 60_000} minutes`);
  connection._socket?.destroySoon();
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { accept, onInternalError }: SmtpServerOptions,
  budget: MemoryBudget,
): Promise<string> {
  const buffer = new MessageBuffer(budget);
  try {
    const bytes = await collect(stream, buffer);
    if (stream.sizeExceeded) throw refusal(552, `the message is larger than ${MESSAGE_BYTES} bytes`);
    if (!bytes) throw refusal(452, 'too many large messages at once; try again later');
    const { mailFrom, rcptTo } = session.envelope;
    const message = {
      mailFrom: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map(({ address }) => address),
      bytes,
    };
    return await accept(message).catch((error: unknown) => {
      onInternalError(error);
      throw refusal(451, 'the message could not be stored; try again');
    });
  } finally {
    buffer.release();
  }
}

/**
 * Reads a message to its end. Returns undefined when it is too large, or the budget has no room for it: the part that
 * was kept is released at once, although the client may continue to send.
 * @throws Error when the client disconnects.
 */
function collect(stream: SMTPServerDataStream, buffer: MessageBuffer): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    stream.on('data', (chunk: Buffer) => {
      if (isRefused || (!stream.sizeExceeded && buffer.append(chunk))) return;
      isRefused = true;
      buffer.release();
    });
    stream.once('end', () => resolve(isRefused ? undefined : buffer.content()));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The client closed the connection.')));
  });
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
