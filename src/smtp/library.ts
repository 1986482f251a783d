import { SMTPServer } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';

/**
 * The members of smtp-server that its documentation does not name, under plain names. They are those of version 3.21.6,
 * so package.json names that version. No other file uses them: test/architecture checks this, and
 * test/smtp/smtp-server-proposal.md proposes hooks that would replace them.
 */

export type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';

type PathCommand = ReturnType<SMTPConnection['_parseAddressCommand']>;
export type CommandHandler = ReturnType<SMTPConnection['_getHandler']>;
export type Refusal = Parameters<SMTPConnection['_refuse']>;

/** A connection of one client. Each comment has the reason why svc uses or overrides a member. */
export abstract class LibraryConnection<Server extends SMTPServer = SMTPServer> extends SMTPConnection {
  /** The server that accepted the connection: limits and options are there. */
  get server(): Server {
    return this._server as Server;
  }

  /** The socket, which STARTTLS replaces: to cork it, to read its TLS, and to end it without waiting for the client. */
  get socket(): SMTPConnection['_socket'] {
    return this._socket;
  }

  /** The number of messages that the client has sent, to inject a fault into the first ones. */
  get messages(): number {
    return this._transactionCounter;
  }

  /** Whether the server has begun to close the connection: nothing more is sent to its client. */
  get isClosing(): boolean {
    return this._closing;
  }

  /** Whether the socket is closed: a delayed command is dropped. */
  get isClosed(): boolean {
    return this._closed;
  }

  /** Whether the TLS handshake after STARTTLS is under way, which cannot be interrupted by a reply. */
  get isUpgrading(): boolean {
    return this._upgrading;
  }

  /** Whether the next line continues AUTH, so that it has credentials. */
  get continuesAuth(): boolean {
    return this._nextHandler !== false;
  }

  /** Begins the session. The library's `init` waits 100 ms before its greeting. */
  protected abstract begin(): void;

  override init(): void {
    this._setListeners(() => this.begin());
  }

  /** Creates the parser of the client's bytes, again after STARTTLS: the reader of contents is replaced. */
  protected abstract createStream(): LibraryStream;

  override _createParser(): SMTPStream {
    return this.createStream();
  }

  /** Receives each line of the client that is not content: sessions are recorded. */
  protected receiveLine(line: Buffer, done?: () => void): void {
    super._onCommand(line, done);
  }

  override _onCommand(line: Buffer, done?: () => void): void {
    this.receiveLine(line, done);
  }

  /** Returns whether the reply to EHLO lists a command, and the client may use it: AUTH is hidden before TLS. */
  protected supports(command: string): boolean {
    return super._isSupported(command);
  }

  override _isSupported(command: string): boolean {
    return this.supports(command);
  }

  /** Returns the handler of a command: faults answer in its place. */
  protected handlerOf(command: string): CommandHandler {
    return super._getHandler(command);
  }

  override _getHandler(command: string): CommandHandler {
    return this.handlerOf(command);
  }

  /** Reads the path and parameters of MAIL or RCPT: more forms of addresses are accepted. Returns false if it is invalid. */
  parsePath(name: string, command: Buffer | string): PathCommand {
    return super._parseAddressCommand(name, command);
  }

  override _parseAddressCommand(name: string, command: Buffer | string): PathCommand {
    return this.parsePath(name, command);
  }

  /** Handles STARTTLS: a refusal names the flag that enables it. */
  protected startTls(command: Buffer, done: () => void): void {
    super.handler_STARTTLS(command, done);
  }

  override handler_STARTTLS(command: Buffer, done: () => void): void {
    this.startTls(command, done);
  }

  /** Handles AUTH: refusals name the flag that enables it, or the mechanisms. */
  protected logIn(command: Buffer, done: () => void): void {
    super.handler_AUTH(command, done);
  }

  override handler_AUTH(command: Buffer, done: () => void): void {
    this.logIn(command, done);
  }

  /** Refuses the session, and is overridden to record that. */
  protected refuseSession(...refusal: Refusal): void {
    super._refuse(...refusal);
  }

  override _refuse(...refusal: Refusal): void {
    this.refuseSession(...refusal);
  }

  /** Called after the time without a byte from the client, and is overridden to record that. */
  protected timeOut(): void {
    super._onTimeout();
  }

  override _onTimeout(): void {
    this.timeOut();
  }

  /** Called once the socket is closed, also during a handshake: the record of the session ends. */
  protected end(): void {
    super._onClose();
  }

  override _onClose(): void {
    this.end();
  }
}

export type Upgrade = Parameters<SMTPServer['_upgrade']>;

export class LibraryServer extends SMTPServer {
  /** Performs the handshake of a port that begins with TLS: one that fails is recorded. */
  protected beginTls(...upgrade: Upgrade): void {
    super._upgrade(...upgrade);
  }

  override _upgrade(...upgrade: Upgrade): void {
    this.beginTls(...upgrade);
  }
}

type Done = (error?: Error | null) => void;
type Write = Parameters<SMTPStream['_write']>;

/** The parser of a client's bytes: commands, and the content of messages. */
export abstract class LibraryStream extends SMTPStream {
  /** Whether no byte of the present message has been read: its first dot is at the beginning of a line. */
  protected get isAtStart(): boolean {
    return this._atDataStart;
  }

  /** The stream that the content of the present message is written to. */
  protected get contentStream(): SMTPStream['_dataStream'] {
    return this._dataStream;
  }

  /** Returns the bytes that `keepForNext` kept, and those of the chunk after them. */
  protected withKept(chunk: Buffer): Buffer {
    const bytes = this._lastBytes ? Buffer.concat([this._lastBytes, chunk]) : chunk;
    this._lastBytes = false;
    return bytes;
  }

  protected keepForNext(rest: Buffer): void {
    this._lastBytes = rest;
  }

  /** Counts bytes of the message against its size limit. */
  protected countContent(bytes: number): void {
    this._countDataBytes(bytes);
  }

  /** Ends the message with the last bytes of its content. Commands follow in `after`. */
  protected endContent(last: Buffer, after: Buffer, done: Done): void {
    this._endDataMode(last, after, done);
  }

  /** Reads bytes of the client: a TLS handshake on a port without TLS is explained. */
  protected readBytes(...write: Write): void {
    super._write(...write);
  }

  override _write(...write: Write): void {
    this.readBytes(...write);
  }

  /** Reads bytes of a message: only CRLF ends a line, and large messages take turns. */
  protected abstract readContent(chunk: Buffer, done: Done): void;

  override _feedDataStream(chunk: Buffer, done: Done): void {
    this.readContent(chunk, done);
  }
}
