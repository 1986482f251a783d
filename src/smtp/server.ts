import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { API_KEY_FORM } from '../contract/api-key-form.js';
import { RECIPIENTS_MAX } from '../contract/limits.js';
import type { ReceivedMessage } from '../core/model.js';
import { DataStream } from './data-stream.js';
import { MemoryBudget } from './memory-budget.js';

/** Binds smtp-server to the core. */

/** What REST takes as a body: 25 MiB of attachments make 34 MiB in base64; the rest is text and headers. */
export const MESSAGE_BYTES = 40 * 1024 * 1024;
/** Bytes of unfinished messages over all connections: four of the largest. A message beyond is answered with 452. */
export const UNFINISHED_BYTES = 4 * MESSAGE_BYTES;
/** How long a stop waits for messages that are on their way in. */
const CLOSE_TIMEOUT_MS = 300;

export interface SmtpServerOptions {
  /** Called when a client has connected. */
  onConnection(): void;
  /** Resolves with the message's id when it is on disk. */
  accept(message: ReceivedMessage): Promise<string>;
  /** Whether a password that has the form of an API key is one. */
  isKey(value: string): Promise<boolean>;
  /** Bytes of unfinished messages over all connections; UNFINISHED_BYTES when absent. */
  unfinishedBytes?: number;
  /** Told of what was answered with 451. */
  onFault(error: unknown): void;
}

export interface SmtpService {
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Takes no new connections, lets messages under way finish for a moment, then ends the rest. */
  close(): Promise<void>;
}

/**
 * smtp-server waits 100 ms for clients that talk too soon before it greets, which is for servers that spammers call; a test
 * suite that opens a connection a mail would spend its time there.
 */
class PromptConnection extends SMTPConnection {
  #corked = false;

  override init(): void {
    this._setListeners(() => this.connectionReady());
  }

  /** Replies to commands that came together leave together: each write of a socket is a call of the system. */
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
    // A client that goes away, or talks nonsense, is no fault of this server.
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
    // There is no certificate that a client could trust, and many clients upgrade whenever they are offered to.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
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
      // Any name and password will do, as an application's settings may hold some; a key must be a good one.
      if (!password || !API_KEY_FORM.test(password)) return callback(null, { user: username ?? 'anonymous' });
      options.isKey(password).then(
        (known) =>
          callback(known ? null : refusal(535, 'the API key is unknown or has been revoked'), { user: username ?? '' }),
        (error: Error) => callback(error),
      );
    },
    onData: (stream, session, callback) => {
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
        // Errors of the listener are told to whoever listens; without a listener for this event they would end the process.
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

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { accept, onFault }: SmtpServerOptions,
  budget: MemoryBudget,
): Promise<string> {
  let held = 0;
  try {
    const bytes = await collect(stream, (size) => {
      if (!budget.take(size)) return false;
      held += size;
      return true;
    });
    if (stream.sizeExceeded) throw refusal(552, `the message is larger than ${MESSAGE_BYTES} bytes`);
    if (!bytes) throw refusal(452, 'too many large messages at once; try again later');
    const { mailFrom, rcptTo } = session.envelope;
    const message = {
      mailFrom: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map(({ address }) => address),
      bytes,
    };
    return await accept(message).catch((error: unknown) => {
      onFault(error);
      throw refusal(451, 'the message could not be stored; try again');
    });
  } finally {
    budget.giveBack(held);
  }
}

/**
 * Reads a message to its end. Undefined when it is too large, or `take` had no room for one of its pieces: then nothing of it is
 * kept any longer.
 * @throws Error when the client goes away.
 */
function collect(stream: SMTPServerDataStream, take: (bytes: number) => boolean): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = [];
    stream.on('data', (chunk: Buffer) => {
      if (!chunks) return;
      if (stream.sizeExceeded || !take(chunk.length)) chunks = undefined;
      else chunks.push(chunk);
    });
    stream.once('end', () => resolve(chunks && join(chunks)));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('The client closed the connection.')));
  });
}

/** How much of a message is copied before other clients have a turn. */
const COPIED_PER_TURN = 4 * 1024 * 1024;

/** Joins the pieces of a message. Copying a large one in one go would keep other clients waiting. */
async function join(chunks: Buffer[]): Promise<Buffer> {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  if (size <= COPIED_PER_TURN) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  const whole = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  let copied = 0;
  for (const chunk of chunks) {
    filled += chunk.copy(whole, filled);
    copied += chunk.length;
    if (copied < COPIED_PER_TURN) continue;
    copied = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return whole;
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
