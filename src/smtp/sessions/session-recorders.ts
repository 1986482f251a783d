import type { Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import type { SmtpClient, SmtpEnding } from '../../contract/vocabulary/smtp.js';
import type { SmtpSessionLog } from '../../core/streams/logs.js';
import { SessionRecorder } from './session-recorder.js';

/** Milliseconds that a stop waits for sockets to report their end. */
const END_MS = 100;

/** An entry of the library's log. */
interface LogEntry {
  tnx?: unknown;
  cid?: unknown;
  user?: unknown;
}

/** What a record needs of a connection. */
interface Connection {
  id: string;
  remoteAddress: string;
  remotePort: number;
  socket: Socket;
}

/** The recorders of all open sessions, by the connection's ID. */
export class SessionRecorders {
  readonly #byId = new Map<string, SessionRecorder>();
  #isStopping = false;
  #onEnded = () => {};

  constructor(private readonly log: SmtpSessionLog | undefined) {}

  /** Receives the library's log, which has every reply as it was sent, and the results of logins. */
  readonly logger: SMTPServer['logger'] = {
    trace: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
    debug: (entry?: LogEntry | string, _prefix?: string, text?: string) => {
      if (typeof entry === 'object' && entry.tnx === 'send') this.#reply(String(entry.cid), text ?? '');
    },
    info: (entry?: LogEntry | string) => {
      if (typeof entry !== 'object') return;
      const { tnx, cid, user } = entry;
      if (String(tnx).startsWith('auth')) this.#byId.get(String(cid))?.authenticated(String(user), tnx === 'auth');
    },
  };

  of(connectionId: string): SessionRecorder | undefined {
    return this.#byId.get(connectionId);
  }

  /** Records the session of a connection. */
  begin({ id, remoteAddress, remotePort }: Connection): void {
    const { log } = this;
    if (!log) return;
    const client = { address: remoteAddress, port: remotePort };
    const recorder = new SessionRecorder(log.start(), client, () => log.now());
    this.#byId.set(id, recorder);
    log.open(recorder);
  }

  /** Records a connection that failed before its session began. */
  unbegun(client: SmtpClient, reason: string, ending: SmtpEnding): void {
    const { log } = this;
    if (!log || this.#isStopping) return;
    const recorder = new SessionRecorder(log.start(), client, () => log.now());
    log.open(recorder);
    recorder.fail(reason);
    recorder.close(ending);
    log.end(recorder);
  }

  #reply(id: string, text: string): void {
    const recorder = this.#byId.get(id);
    if (this.#isStopping && text.startsWith('421 ')) recorder?.dismissed(text);
    else recorder?.reply(text);
  }

  /** Ends the record of a connection, whose socket is closed. */
  closed({ id, socket }: Connection): void {
    const isByClient = socket.readableEnded || socket.errored !== null;
    // The message that was being received is noted first.
    void this.#byId
      .get(id)
      ?.settled()
      .then(() => this.#end(id, isByClient));
  }

  /** Sessions that end from now on end because the server stops, unless they have another reason. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Resolves when every session has ended. Ends those that do not soon. */
  async allEnded(after: (milliseconds: number, callback: () => void) => () => void): Promise<void> {
    if (this.#byId.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = after(END_MS, resolve);
      this.#onEnded = () => {
        if (this.#byId.size > 0) return;
        cancel();
        resolve();
      };
    });
    for (const id of this.#byId.keys()) this.#end(id, false);
  }

  #end(id: string, isByClient: boolean): void {
    const recorder = this.#byId.get(id);
    if (!recorder) return;
    this.#byId.delete(id);
    recorder.close(this.#isStopping ? 'server_stopped' : isByClient ? 'client_closed' : 'refused');
    this.log?.end(recorder);
    this.#onEnded();
  }
}

function ignore(): void {}
