import type { SMTPServerSession } from 'smtp-server';
import { formatDuration } from '../contract/vocabulary/durations.js';
import { type FaultStage, INJECTED } from '../contract/vocabulary/faults/faults.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';
import { documentOfMessage } from '../core/faults/documents.js';
import { type Faults, faultNote } from '../core/faults/faults.js';
import type { SmtpPoint } from '../core/faults/points.js';
import type { ReceivedMessage } from '../core/model/received.js';
import type { FaultRecord } from '../core/model/resources.js';
import type { ParsedMessage } from '../core/ports.js';
import { loginOf, refusal } from './auth.js';
import type { CommandHandler, LibraryConnection } from './library.js';
import type { SessionRecorder } from './sessions/session-recorder.js';

/** A connection, and the record of its session. */
interface Connection extends LibraryConnection {
  readonly recorder: SessionRecorder | undefined;
}

const STAGES: Partial<Record<string, FaultStage>> = {
  HELO: 'ehlo',
  EHLO: 'ehlo',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
};

/** Injects faults into the sessions of one server. */
export class FaultInjector {
  /** What was injected into the transaction of a session, for the email that it leads to. */
  readonly #notes = new WeakMap<SMTPServerSession, ServiceWarning[]>();

  constructor(private readonly faults: Faults) {}

  /** Calls `proceed` for a new connection, unless it is refused or closed by a fault. */
  atConnect(connection: Connection, proceed: () => void): void {
    // At once, because clients may send commands before the greeting.
    if (!this.faults.anyAt('connect')) proceed();
    else this.#inject(connection, { smtp: 'connect' }, { proceed, replied: () => refuse(connection) });
  }

  /** Returns the handler of a command, with the faults of its stage. */
  handlerOf(connection: Connection, command: string, handler: CommandHandler): CommandHandler {
    const smtp = this.faults.any ? STAGES[command] : undefined;
    if (!handler || smtp === undefined || !this.faults.anyAt(smtp)) return handler;
    return (line, done) => {
      const proceed = () => handler.call(connection, line, done);
      const place = envelopeAt(smtp, connection, line);
      if (place === undefined) return proceed();
      this.#inject(connection, { smtp, ...place }, { proceed, replied: done });
    };
  }

  /**
   * Injects a fault after the content of a message. Resolves with the function to call when the message is stored.
   * @throws Error with the SMTP response code to reply with.
   */
  async atEnd(
    connection: Connection,
    message: ReceivedMessage,
    parsed: ParsedMessage,
  ): Promise<(id: string) => Promise<void>> {
    const { faults } = this;
    const { session } = connection;
    const fault = await faults.take({
      ...pointOf(connection, { smtp: 'end', from: message.mailFrom, to: message.recipients }),
      document: (withExtracts) => documentOfMessage(faults.deps, message, parsed, withExtracts),
    });
    if (fault) mark(connection, fault);
    if (fault?.delayMs) await faults.wait(fault.delayMs);
    if (fault?.drop === 'before') {
      drop(connection, fault);
      throw refusal(421, `connection closed ${INJECTED}`);
    }
    const reply = fault && replyOf(fault);
    if (reply) throw refusal(reply.code, reply.text);
    if (fault) this.#remember(session, fault);
    return async (id) => {
      const found = this.#notes.get(session);
      this.#notes.delete(session);
      if (found) await faults.note(id, found);
      if (fault?.drop === 'after') drop(connection, fault);
    };
  }

  #inject(connection: Connection, place: Place, { proceed, replied }: Next): void {
    const { faults } = this;
    const run = async () => {
      const fault = await faults.take(pointOf(connection, place));
      if (fault) mark(connection, fault);
      if (fault?.delayMs) await faults.wait(fault.delayMs);
      if (connection.isClosed || connection.isClosing) return;
      if (fault) this.#remember(connection.session, fault);
      if (fault?.drop) return drop(connection, fault);
      const reply = fault && replyOf(fault);
      if (!reply) return proceed();
      // A greeting and the reply to EHLO have no enhanced status code (RFC 2034 section 3).
      const hasNoCode = place.smtp === 'connect' || place.smtp === 'ehlo';
      connection.send(reply.code, reply.text, hasNoCode ? false : undefined);
      replied();
    };
    run().catch((error: unknown) => {
      faults.deps.onInternalError(error);
      connection.send(451, 'internal server error');
      replied();
    });
  }

  #remember(session: SMTPServerSession, fault: FaultRecord): void {
    this.#notes.set(session, [...(this.#notes.get(session) ?? []), faultNote(fault)]);
  }
}

type Place = Omit<SmtpPoint, 'client' | 'messages' | 'workspace'>;

interface Next {
  proceed(): void;
  /** Called after a refusal. */
  replied(): void;
}

/** Returns what is known of the envelope at a command; undefined if the command is invalid or out of order. */
function envelopeAt(
  stage: FaultStage,
  connection: Connection,
  line: Buffer,
): Pick<SmtpPoint, 'from' | 'to'> | undefined {
  const { mailFrom, rcptTo } = connection.session.envelope;
  if (stage === 'mail') {
    const parsed = connection.parsePath('mail from', line);
    return parsed && !mailFrom ? { from: parsed.address } : undefined;
  }
  if (stage === 'rcpt') {
    const parsed = connection.parsePath('rcpt to', line);
    return parsed && mailFrom ? { from: mailFrom.address, to: [parsed.address] } : undefined;
  }
  if (stage !== 'data') return {};
  return mailFrom && rcptTo.length > 0
    ? { from: mailFrom.address, to: rcptTo.map(({ address }) => address) }
    : undefined;
}

/** Notes a fault in the record of the session. */
function mark(connection: Connection, fault: FaultRecord): void {
  connection.recorder?.note(faultNote(fault).message);
}

/** Destroys the socket of a connection. A client that has left during a delay has ended the session itself. */
function drop(connection: Connection, fault: FaultRecord): void {
  const { socket, recorder } = connection;
  if (socket.destroyed) return;
  recorder?.fail(faultNote(fault).message);
  recorder?.ended('refused');
  socket.destroy();
}

/** Closes a connection after the refusal of its greeting. */
function refuse(connection: Connection): void {
  connection.recorder?.ended('refused');
  connection.close();
}

/** Sessions without a login, and what happens before it, belong to no workspace. */
function pointOf({ remoteAddress, session, messages }: Connection, place: Place): SmtpPoint {
  const { workspace } = loginOf(session);
  return { ...place, workspace, client: remoteAddress, messages };
}

/** Returns the refusal of a fault; undefined if it does not refuse. */
function replyOf({ code, text, greylistMs }: FaultRecord): { code: number; text: string } | undefined {
  if (greylistMs !== null) {
    const wait = `4.7.1 Greylisted, try again in ${formatDuration(greylistMs)}`;
    return { code: code ?? 451, text: `${text ?? wait} ${INJECTED}` };
  }
  if (code === null) return undefined;
  return { code, text: `${text ?? (code < 500 ? 'Try again later' : 'Refused')} ${INJECTED}` };
}
